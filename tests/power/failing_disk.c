/*
 * A disk that fails: from one write or sync on, the system says EIO, for so many times. Loaded
 * before everything else (LD_PRELOAD). Only files under FAILING_FOLDER are meant.
 *
 * FAILING_AT says which write or sync is the first to fail, counted from 1; FAILING_TIMES how many
 * fail; FAILING_CALL that only calls of this name are meant; FAILING_FULL that the system says
 * ENOSPC instead. A kernel reports a failed sync once and then forgets it, so one failure must be enough.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

static long done;

static int meant(int fd) {
    char link[64], path[4096];
    const char *folder = getenv("FAILING_FOLDER");
    ssize_t length;
    if (!folder)
        return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    length = readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return 0;
    path[length] = 0;
    return strncmp(path, folder, strlen(folder)) == 0;
}

static int fails(const char *call, int fd) {
    const char *at = getenv("FAILING_AT"), *times = getenv("FAILING_TIMES");
    const char *only = getenv("FAILING_CALL");
    long now;
    if (!at || (only && strcmp(only, call)) || !meant(fd))
        return 0;
    now = __sync_add_and_fetch(&done, 1);
    if (now < atol(at) || now >= atol(at) + (times ? atol(times) : 1))
        return 0;
    errno = getenv("FAILING_FULL") ? ENOSPC : EIO;
    return 1;
}

#define REAL(type, name, ...) \
    static type (*real)(__VA_ARGS__); \
    if (!real) \
        *(void **)&real = dlsym(RTLD_NEXT, #name)

ssize_t write(int fd, const void *bytes, size_t count) {
    REAL(ssize_t, write, int, const void *, size_t);
    return fails("write", fd) ? -1 : real(fd, bytes, count);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t at) {
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    return fails("pwrite64", fd) ? -1 : real(fd, bytes, count, at);
}

int fsync(int fd) {
    REAL(int, fsync, int);
    return fails("fsync", fd) ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(int, fdatasync, int);
    return fails("fdatasync", fd) ? -1 : real(fd);
}

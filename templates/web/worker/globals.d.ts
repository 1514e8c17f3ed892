// The constants that the server prepends to the worker.

/** The hash of all files of the page. */
declare const VERSION: string;
/** The paths of all files except the page itself and its translations. */
declare const FILES: string[];

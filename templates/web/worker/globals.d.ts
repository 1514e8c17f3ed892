// What the server writes above the worker.

/** What all files of the page together are. */
declare const VERSION: string;
/** What the page is made of, besides itself and the words of its language. */
declare const FILES: string[];

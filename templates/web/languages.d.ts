// The languages of the page; the server generates this module.

export declare const LANGUAGES: Record<string, string>;
export declare const DIRECTIONS: Record<string, "ltr" | "rtl">;

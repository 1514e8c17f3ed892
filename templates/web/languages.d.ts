// The languages of the page; the module is made of the folders of the languages.

export declare const LANGUAGES: Record<string, string>;
export declare const DIRECTIONS: Record<string, "ltr" | "rtl">;

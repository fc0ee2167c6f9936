/** Which part of a page is shown, e.g. the name of a file: several tabs, and what is printed, are told apart by it. */
import { signal } from "@preact/signals";

/** Empty: the page as a whole. */
export const partTitle = signal("");

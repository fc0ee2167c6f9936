/** Which entries a list of forbidden words takes: plain words, as a hotword that is only written (docs/decisions.md section 6). */
import type { EntryRule } from "./entry.js";
import { writingRule } from "./hotword.js";

export const forbiddenRule: EntryRule = writingRule;

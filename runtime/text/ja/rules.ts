/** Japanese, as the pipeline asks for it. */
import type { LanguageRules } from "../language-rules.js";
import { findFillers } from "./fillers.js";
import { speakNumbers } from "./speak-numbers.js";
import { openFrom, writeNumbers } from "./write-numbers.js";

export const ja: LanguageRules = {
	writeNumbers,
	speakNumbers,
	fillers: findFillers,
	openFrom,
};

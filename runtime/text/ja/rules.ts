/** The Japanese rules for the pipeline. */
import type { LanguageRules } from "../language-rules.js";
import { findFillers } from "./fillers.js";
import { openFrom } from "./open-number.js";
import { speakNumbers } from "./speak-numbers.js";
import { writeNumbers } from "./write-numbers.js";

export const ja: LanguageRules = {
	writeNumbers,
	speakNumbers,
	fillers: findFillers,
	openFrom,
};

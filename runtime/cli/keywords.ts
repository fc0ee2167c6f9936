/** `earshot keywords`: the process that extracts keywords from texts, one after the other; `serve` starts it. It ends when its IPC channel closes. */

import { setPriority } from "node:os";
import type { Command } from "commander";
import type { KeywordRequest } from "../engine/keyword-process.js";
import { openReader } from "../text/ja/reading.js";
import {
	type KeywordFinder,
	openKeywords,
} from "../text/keywords/chinese-keywords.js";
import {
	type KeywordTools,
	transcriptKeywords,
} from "../text/keywords/transcript-keywords.js";
import type { Language } from "../text/languages.js";
import { isChinese, isJapanese } from "../text/languages.js";
import { action, UsageError, verb } from "./verb.js";

/** Nobody speaks while waiting for keywords: recognition has priority. */
const niceness = 10;

export function keywordsCommand(): Command {
	return verb("keywords", "finds keywords, as `serve` starts it").action(
		action(() => {
			if (!process.send)
				throw new UsageError("keywords is started by `earshot serve`");
			setPriority(niceness);
			process.on("message", (request: KeywordRequest) => {
				// a failure ends this process, which the caller notices
				void keywordsOf(request).then((found) => process.send?.(found));
			});
			process.on("disconnect", () => process.exit(0));
			for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
				process.on(signal, () => {}); // meant for the server, which ends this process
		}),
	);
}

async function keywordsOf(request: KeywordRequest): Promise<readonly string[]> {
	const { text, countMax } = request;
	if (request.is === "terms")
		return chinese(text, countMax).map((it) => it.text);
	const tools = await toolsFor(request.language);
	return transcriptKeywords(text, request.language, countMax, tools);
}

/** Loads the dictionaries of the requested language. */
async function toolsFor(language: Language): Promise<KeywordTools> {
	if (isJapanese(language)) return { japanese: await openReader() };
	return isChinese(language) ? { chinese } : {};
}

let finder: KeywordFinder | undefined;

const chinese: KeywordFinder = (text, countMax) => {
	finder ??= openKeywords();
	return finder(text, countMax);
};

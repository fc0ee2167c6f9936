/** `earshot keywords`: the process that finds keywords in texts, one after the other, as `serve` starts it. It ends with the channel to whoever started it. */

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

/** Nobody speaks while they wait for it: recognition goes first. */
const niceness = 10;

export function keywordsCommand(): Command {
	return verb("keywords", "finds keywords, as `serve` starts it").action(
		action(() => {
			if (!process.send)
				throw new UsageError("keywords is started by `earshot serve`");
			setPriority(niceness);
			process.on("message", (order: KeywordRequest) => {
				// whoever waits is told of a failure by the end of this process
				void obey(order).then((found) => process.send?.(found));
			});
			process.on("disconnect", () => process.exit(0));
			for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
				process.on(signal, () => {}); // they are for the server, which ends us
		}),
	);
}

async function obey(order: KeywordRequest): Promise<readonly string[]> {
	const { text, countMax } = order;
	if (order.is === "terms") return chinese(text, countMax).map((it) => it.text);
	const tools = await toolsFor(order.language);
	return transcriptKeywords(text, order.language, countMax, tools);
}

/** Dictionaries are loaded for the languages that are asked for. */
async function toolsFor(language: Language): Promise<KeywordTools> {
	if (isJapanese(language)) return { japanese: await openReader() };
	return isChinese(language) ? { chinese } : {};
}

let finder: KeywordFinder | undefined;

const chinese: KeywordFinder = (text, countMax) => {
	finder ??= openKeywords();
	return finder(text, countMax);
};

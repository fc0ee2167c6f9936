/** `earshot keywords`: the process that finds keywords in texts, one after the other, as `serve` starts it. It ends with the channel to whoever started it. */
import { setPriority } from "node:os";
import type { Command } from "commander";
import type { KeywordOrder } from "../api/word-lists/keyword-extractor.js";
import { openKeywords } from "../words/chinese-keywords.js";
import { action, UsageError, verb } from "./verb.js";

/** Nobody speaks while they wait for it: recognition goes first. */
const niceness = 10;

export function keywordsCommand(): Command {
	return verb("keywords", "finds keywords, as `serve` starts it").action(
		action(() => {
			if (!process.send)
				throw new UsageError("keywords is started by `earshot serve`");
			setPriority(niceness);
			const find = openKeywords();
			process.on("message", ({ text, countMax }: KeywordOrder) =>
				process.send?.(find(text, countMax)),
			);
			process.on("disconnect", () => process.exit(0));
			for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"])
				process.on(signal, () => {}); // they are for the server, which ends us
		}),
	);
}

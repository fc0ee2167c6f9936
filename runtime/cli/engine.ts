/** `earshot engine --lane live|batch`: what `serve` starts as a child. What it needs to know comes over its channel. */
import { type Command, Option } from "commander";
import { runEngine } from "../engine/child.js";
import { collectWithoutThreads } from "../engine/collector.js";
import { action, UsageError, verb } from "./verb.js";

export function engineCommand(): Command {
	return verb("engine", "a recognition engine, as `serve` starts it")
		.addOption(
			new Option("--lane <lane>", "what it works for, as `ps` shows it")
				.choices(["live", "batch"])
				.makeOptionMandatory(),
		)
		.action(
			action(({ lane }: { lane: string }) => {
				if (!process.send)
					throw new UsageError("an engine is started by `earshot serve`");
				if (lane === "batch") collectWithoutThreads();
				runEngine();
			}),
		);
}

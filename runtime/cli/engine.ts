/** `earshot engine --lane live|batch`: the child process that `serve` starts. It receives its settings over its IPC channel. */
import { type Command, Option } from "commander";
import { runEngine } from "../engine/child.js";
import { collectWithoutThreads } from "../process/garbage-collector.js";
import { action, UsageError, verb } from "./verb.js";

export function engineCommand(): Command {
	return verb("engine", "a recognition engine, as `serve` starts it")
		.addOption(
			new Option("--lane <lane>", "its lane, shown by `ps`")
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

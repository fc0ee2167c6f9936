/** How every verb of the command line ends: 0 done, 1 failed (one sentence on stderr), 2 wrong usage. People see no stacks. */
import { Command } from "commander";
import { ServerError } from "../api/server/server-error.js";
import { EarshotError } from "../client/client-error.js";
import { ConfigError } from "../config/config-error.js";
import {
	type ConfigSources,
	type LoadedConfig,
	loadConfig,
} from "../config/load.js";
import { PackageError } from "../models/package/model-package.js";
import { StoreError } from "../store/store-error.js";
import { UpdateError } from "../update/update-error.js";
import { withCheckedLanguages } from "./language-settings.js";
import { systemFault } from "./system-fault.js";

/** Wrong usage: exit code 2. */
export class UsageError extends Error {
	override readonly name = "UsageError";
}

/** A mistake in `--set`: wrong usage as well. */
class OverrideError extends ConfigError {}

/** A command whose usage errors (missing option, unknown flag) exit with 2; its sub-commands inherit that. */
export function verb(name: string, description: string): Command {
	return new Command(name).description(description).exitOverride((ended) => {
		process.exit(ended.exitCode === 0 ? 0 : 2);
	});
}

/** Wraps an action: an error becomes one sentence and an exit code. */
export function action<A extends unknown[]>(
	act: (...args: A) => Promise<void> | void,
): (...args: A) => Promise<void> {
	return async (...args) => {
		try {
			await act(...args);
		} catch (thrown) {
			if (!isForPeople(thrown)) return endBy(thrown);
			process.stderr.write(`earshot: ${thrown.message}\n`);
			process.exitCode = isUsage(thrown) ? 2 : 1;
		}
	};
}

/** The configuration with the overrides of this command line: `--set section.key=value` is a global option of the program. */
export function configFor(
	command: Command,
	sources: Pick<ConfigSources, "onDenied"> = {},
): LoadedConfig {
	const { set: overrides = [] } = command.optsWithGlobals<{
		set?: string[];
	}>();
	const load = (changes: ConfigSources) =>
		withCheckedLanguages(loadConfig({ ...sources, ...changes }));
	try {
		return load({ overrides });
	} catch (thrown) {
		if (overrides.length === 0 || !(thrown instanceof ConfigError))
			throw thrown;
		load(sources.onDenied ? { onDenied: () => {} } : {}); // a mistake that is not in them comes first
		throw new OverrideError(thrown.message);
	}
}

export function print(text: string): void {
	process.stdout.write(`${text}\n`);
}

/** At once, as by any error that nobody expected: what the command began may be under way. @throws what is no stop and no error of the system */
function endBy(thrown: unknown): never {
	const isStop = thrown instanceof Error && thrown.name === "AbortError";
	const fault = isStop ? { message: "stopped" } : systemFault(thrown);
	if (!fault) throw thrown;
	const sentence = [fault.message, fault.todo].filter(Boolean).join(": ");
	process.stderr.write(`earshot: ${sentence}\n`);
	process.exit(1);
}

function isUsage(thrown: unknown): boolean {
	return thrown instanceof UsageError || thrown instanceof OverrideError;
}

function isForPeople(thrown: unknown): thrown is Error {
	return (
		thrown instanceof UsageError ||
		thrown instanceof EarshotError ||
		thrown instanceof ConfigError ||
		thrown instanceof StoreError ||
		thrown instanceof PackageError ||
		thrown instanceof UpdateError ||
		thrown instanceof ServerError
	);
}

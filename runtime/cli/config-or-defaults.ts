/** The configuration for commands that are of use without it: an ordinary user may not read that of an installed appliance, and still transcribes a file. */
import type { Command } from "commander";
import type { LoadedConfig } from "../config/load.js";
import { configFor } from "./verb.js";

/** As `configFor`; where this user may not read the files, a warning, and what the environment and the command line say over the defaults. @throws ConfigError */
export function configOrDefaults(command: Command): LoadedConfig {
	return configFor(command, {
		onDenied: (why) =>
			process.stderr.write(`earshot: the defaults are used: ${why}\n`),
	});
}

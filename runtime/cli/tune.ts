/** `earshot tune`: measures what this device can do with this model, and chooses suitable settings. */
import { cpus, setPriority } from "node:os";
import type { Command } from "commander";
import type { LoadedConfig } from "../config/load.js";
import type { Config } from "../config/schema.js";
import { engineSection } from "../config/sections/engine.js";
import { PackageError } from "../models/package/model-package.js";
import {
	dropInPath,
	dropInText,
	whyNotWritable,
	writeDropIn,
} from "./drop-in.js";
import { openProgress } from "./progress.js";
import { table } from "./table.js";
import { choose, settingsOf } from "./tuning/choice.js";
import { measure } from "./tuning/measurement.js";
import { untilQuiet, whyNotQuiet } from "./tuning/quiet.js";
import type { TuningResults } from "./tuning/tuning-results.js";
import { action, configFor, print, verb } from "./verb.js";

type Options = { dryRun?: boolean; quick?: boolean; anyway?: boolean };

/** Sorted before 60-model.toml and before the operator's drop-ins, which take precedence. */
const dropInName = "50-tune.toml";
/** Other programs have priority. */
const niceness = 10;
/** Median against fastest run of one measurement: above this other programs were busy. */
const spreadMax = 1.3;

export function tuneCommand(): Command {
	return verb(
		"tune",
		"measure how fast this device recognizes speech, and set threads, beam, partials and sessions accordingly",
	)
		.option("--dry-run", "show the results, write nothing")
		.option("--quick", "measure less: takes some seconds, with rougher results")
		.option(
			"--anyway",
			"measure even while the appliance or other programs are busy",
		)
		.action(action(tune));
}

async function tune(options: Options, command: Command): Promise<void> {
	const values = withoutOwnChoice(configFor(command));
	if (!options.dryRun) {
		const why = await whyNotWritable(dropInName);
		if (why !== undefined)
			throw new PackageError(
				`${why}: run this as root, or as the user that it belongs to, or with --dry-run`,
			);
	}
	if (!options.anyway) {
		const why = await whyNotQuiet(values);
		if (why !== undefined)
			throw new PackageError(
				`${why}: measurements would be unreliable; try again when the machine is idle, or use --anyway`,
			);
	}
	setPriority(niceness);
	const progress = openProgress("measuring", 1);
	let shown = 0;
	const results = await measure(values, {
		quick: options.quick ?? false,
		whenQuiet: async () => {
			if (!options.anyway) await untilQuiet(values).catch(stopped);
		},
		onStep: (done, total) => {
			progress.advance(done / total - shown);
			shown = done / total;
		},
	}).finally(() => progress.close());
	show(results);
	await keep(results, options, command);
}

/**
 * Processor and kernels that an earlier run chose are measured against the others again: its file is about to be replaced, and has them afterwards only where
 * this run chooses them too.
 */
function withoutOwnChoice({ values, origins }: LoadedConfig): Config {
	const own = dropInPath(dropInName);
	const { engine } = values;
	const { processor, kernels } = engineSection;
	const isOwn = (key: string) => origins.get(`engine.${key}`) === own;
	return {
		...values,
		engine: {
			...engine,
			processor: isOwn("processor") ? processor.default : engine.processor,
			kernels: isOwn("kernels") ? kernels.default : engine.kernels,
		},
	};
}

function stopped(error: Error): never {
	throw new PackageError(`${error.message}: stopped, nothing was written`);
}

function show({
	model,
	cores,
	clipSeconds,
	rows,
	kernels,
	lower,
	spread,
}: TuningResults): void {
	const name = cpus()[0]?.model.trim() || "processor";
	print(
		`${model} on ${cores} x ${name}; ${clipSeconds.toFixed(1)} s of speech`,
	);
	print("");
	print(
		table(
			["processor", "threads", "beam", "time", "times real time"],
			rows.map((row) => ({
				processor: row.computedBy,
				threads: `${row.threads}`,
				beam: `${row.beam}`,
				time: `${Math.round(row.decodeMs)} ms`,
				"times real time": row.speed.toFixed(1),
			})),
		),
	);
	print("");
	print(
		table(
			["kernel", "instructions"],
			kernels.map(({ name, instructions = "by ONNX Runtime" }) => ({
				kernel: name,
				instructions,
			})),
		),
	);
	if (lower)
		print(
			`with ${lower.level} at most: ${lower.speed.toFixed(1)} times real time`,
		);
	print("");
	if (spread > spreadMax)
		print(
			`runs took up to ${spread.toFixed(1)} times as long: other programs were busy, try again`,
		);
}

async function keep(
	results: TuningResults,
	{ dryRun }: Options,
	command: Command,
): Promise<void> {
	const chosen = choose(results);
	for (const { key, value, why } of chosen)
		print(`${key} = ${value}\n  ${why}`);
	print("");
	const settings = settingsOf(chosen);
	const comment = `Written by earshot tune, for ${results.model} on ${results.cores} processors.`;
	if (dryRun) {
		print(`nothing is written (--dry-run); ${dropInName} would be:\n`);
		print(dropInText(comment, settings).trimEnd());
		return;
	}
	const path = await writeDropIn(dropInName, comment, settings);
	print(`written to ${path}, in effect after the next start`);
	const { origins } = configFor(command);
	for (const key of Object.keys(settings)) {
		const origin = origins.get(key);
		if (origin !== path)
			print(`${key} is also set in ${origin}, which takes precedence`);
	}
}

/** `earshot models add`: adds a package, or a published model, to the models folder. */
import { constants, existsSync, statSync } from "node:fs";
import { access } from "node:fs/promises";
import { Command } from "commander";
import type { Config } from "../config/schema.js";
import { bytesOf } from "../models/manifest.js";
import { fetchArchive } from "../models/package/fetch-archive.js";
import { fetchModel } from "../models/package/fetch-model.js";
import { installFolder } from "../models/package/install.js";
import {
	type InstallStep,
	installArchive,
} from "../models/package/install-archive.js";
import {
	type ModelPackage,
	PackageError,
} from "../models/package/model-package.js";
import { adoptPins } from "../models/package/pins.js";
import { isPackageName } from "../models/package-name.js";
import {
	descriptionIn,
	flagsOfPublished,
	type ModelDescription,
	refuseDescription,
} from "./model-description.js";
import {
	catalogueOf,
	consentOf,
	converter,
	withNearest,
} from "./models-catalogue.js";
import { openProgress, type Progress } from "./progress.js";
import { action, configFor, print, UsageError } from "./verb.js";

type Options = ModelDescription & {
	sha256?: string;
	replace?: boolean;
	acceptLicence?: boolean;
	acceptFiles?: boolean;
	pins?: string;
};

type Where = "address" | "folder" | "archive" | "catalogue";

export function addCommand(): Command {
	return new Command("add")
		.description(
			"add a model: a folder of a package, or of graphs as published for sherpa-onnx; or an archive of it, from a file or a URL",
		)
		.argument(
			"<what>",
			"a folder, a .tar.gz, .tar.bz2 or .zip, the URL of one, or a name in a catalogue (earshot models search; or model.catalogue)",
		)
		.option("--name <name>", "the package's name (default: the folder's)")
		.option(
			"--kind <kind>",
			"what a published model becomes: second-ear (default: a speech recognizer, or what the catalogue has under the name)",
		)
		.option("--licence <name>", "licence of the weights, e.g. Apache-2.0")
		.option("--source <text>", "where the weights come from")
		.option(
			"--languages <list>",
			"lang_type values, separated by commas (default: derived from the model's symbols)",
		)
		.option("--probe <file>", "a WAV file of speech for the health check")
		.option("--probe-language <lang>", "its lang_type")
		.option("--probe-words <words>", "words spoken in it, separated by commas")
		.option("--sha256 <digest>", "checksum of the archive; required for a URL")
		.option("--replace", "replace an existing package")
		.option("--accept-licence", "accept the licence of a model of a catalogue")
		.option(
			"--accept-files",
			"install files of a catalogue that have no published checksum",
		)
		.option(
			"--pins <file>",
			"checksums that another device accepted (its pins.json): other files are refused",
		)
		.action(action(add));
}

async function add(
	what: string,
	options: Options,
	command: Command,
): Promise<void> {
	const where = whereIs(what);
	refuseDigestOf(where, options);
	if (where === "catalogue") refuseDescription(options);
	if (options.probe !== undefined) await refuseUnreadable(options.probe);
	const { values: config } = configFor(command);
	const stopped = new AbortController();
	const stop = () => stopped.abort();
	process.once("SIGINT", stop).once("SIGTERM", stop);
	const steps = new Steps();
	try {
		if (options.pins) await adoptPins(config.model.dir, options.pins);
		const installation = { config, steps, signal: stopped.signal };
		const { manifest } = await install(what, where, options, installation);
		const megabytes = (bytesOf(manifest) / 1e6).toFixed(1);
		print(`${manifest.name}: ${manifest.kind}, ${megabytes} MB, checked`);
	} finally {
		steps.close();
		process.off("SIGINT", stop).off("SIGTERM", stop);
	}
}

interface Installation {
	readonly config: Config;
	readonly steps: Steps;
	readonly signal: AbortSignal;
}

async function install(
	what: string,
	where: Where,
	options: Options,
	{ config, steps, signal }: Installation,
): Promise<ModelPackage> {
	const { sha256, replace = false } = options;
	const shared = { directory: config.model.dir, signal, replace };
	const described = {
		...shared,
		...descriptionIn(options),
		onlyPublished: flagsOfPublished(options),
	};
	const onBytes = steps.advance;
	const adding = (done: number, total: number) =>
		steps.advance(done, total, "adding");
	switch (where) {
		case "folder":
			return installFolder(what, { ...described, onBytes: adding });
		case "archive":
			return installArchive(what, {
				...described,
				...(sha256 && { sha256: sha256.toLowerCase() }),
				onBytes,
			});
		case "address":
			return fetchArchive(what, {
				...described,
				sha256: sha256?.toLowerCase() ?? "",
				onBytes,
			});
		case "catalogue":
			return fetchModel(what, catalogueOf(config), {
				...shared,
				...consentOf({ ...options, beforeQuestion: () => steps.close() }),
				convert: converter(replace, signal, converting(steps)),
				onBytes: adding,
			}).catch((error) => {
				throw withNearest(error, what);
			});
	}
}

/** Before anything is downloaded. @throws PackageError */
async function refuseUnreadable(probe: string): Promise<void> {
	try {
		await access(probe, constants.R_OK);
	} catch (error) {
		const { message } = error as Error;
		throw new PackageError(`--probe can't be read: ${message}`);
	}
}

/** `convert` counts what came since, the bar what came in all. */
function converting(steps: Steps) {
	let done = 0;
	return (bytes: number, total: number) => {
		done += bytes;
		steps.advance(done, total, "converting");
	};
}

/** A plain name without a matching file is looked up in the catalogue. */
function whereIs(what: string): Where {
	if (/^https?:\/\//i.test(what)) return "address";
	if (existsSync(what)) return statSync(what).isFile() ? "archive" : "folder";
	return isPackageName(what) ? "catalogue" : "folder";
}

function refuseDigestOf(where: Where, { sha256 }: Options): void {
	if (where === "address" && sha256 === undefined)
		throw new UsageError(
			"a model from a URL needs --sha256: the checksum from the publisher, or from sha256sum on a copy that you trust",
		);
	if (sha256 === undefined) return;
	if (where === "folder" || where === "catalogue")
		throw new UsageError("--sha256 applies only to an archive or a URL");
	if (!/^[0-9a-f]{64}$/i.test(sha256))
		throw new UsageError("--sha256 must be 64 hexadecimal digits");
}

/** A progress bar for each step, one after the other. */
class Steps {
	#step: InstallStep | undefined;
	#bar: Progress | undefined;
	#shown = 0;

	readonly advance = (done: number, total: number, step: InstallStep): void => {
		if (step !== this.#step) {
			this.close();
			this.#step = step;
			this.#shown = 0;
			this.#bar = openProgress(step, total);
		}
		this.#bar?.advance(done - this.#shown);
		this.#shown = done;
	};

	close(): void {
		this.#bar?.close();
	}
}

/**
 * `earshot update`: replaces the program by another version, which must be signed, is tried, and is rolled back where it is not healthy. `earshot on-trial` is
 * run by the service manager around each start while the trial lasts.
 */
import { type Command, Option } from "commander";
import {
	isExecutable,
	ownAsset,
	ownVersion,
	programFile,
} from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { asPackageError } from "../models/package/placing.js";
import { builtInKey } from "../update/minisign.js";
import { described } from "../update/offer.js";
import { placesOf } from "../update/places.js";
import { restartOf } from "../update/restart.js";
import { untilHealthy } from "../update/running-server.js";
import { beginStart, endTrial } from "../update/trial.js";
import { trustedKeys } from "../update/trusted-keys.js";
import { UpdateError } from "../update/update-error.js";
import { Updater } from "../update/updater.js";
import { openProgress, type Progress } from "./progress.js";
import { serverAddress } from "./server-address.js";
import { stopLimitMs } from "./stop-limit.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

interface Options {
	readonly from?: string;
	readonly check?: boolean;
	readonly rollback?: boolean;
	readonly allowDowngrade?: boolean;
	readonly again?: boolean;
	/** False: `--no-restart`; a string: the operator's command. */
	readonly restart: boolean | string;
}

export function updateCommand(): Command {
	return verb("update", "replace this program by another version")
		.option(
			"--from <file-or-url>",
			"the executable; its signature must be beside it, with the suffix .minisig (default: update.from)",
		)
		.option("--check", "only report which version is available")
		.addOption(
			new Option(
				"--rollback",
				"go back to the version before this one",
			).conflicts(["check", "from"]),
		)
		.option("--allow-downgrade", "accept this version again, or an older one")
		.option(
			"--again",
			"accept the file that was tried last and was rolled back",
		)
		.option(
			"--restart <command>",
			"command that restarts the server (default: the service, if it runs this program)",
		)
		.option(
			"--no-restart",
			"do not restart: the trial begins with the next start",
		)
		.action(action(update));
}

export function onTrialCommand(): Command {
	return verb("on-trial", "run by a service manager before and after a start")
		.addOption(
			new Option("--at <moment>")
				.choices(["start", "ready"])
				.makeOptionMandatory(),
		)
		.action(action(onTrial));
}

async function update(options: Options, command: Command): Promise<void> {
	if (!isExecutable)
		throw new UsageError(
			"a checkout is updated with git; this command is for the executable (scripts/build)",
		);
	const { values: config } = configFor(command);
	const places = placesOf(programFile);
	const { restart } = options;
	const updater = new Updater({
		places,
		here: { version: ownVersion(), architecture: process.arch },
		keys: options.rollback
			? []
			: trustedKeys(config.update.keys, ownAsset(builtInKey)),
		watch: {
			...watchOf(config),
			drainSeconds: stopLimitMs(config.server.drain_seconds) / 1000,
		},
		restart: await restartOf(
			places,
			restart === false ? "" : restart === true ? undefined : restart,
		),
		report: print,
	});
	try {
		if (options.rollback) return await updater.rollBack();
		const from = options.from ?? config.update.from;
		if (from === "")
			throw new UsageError("give --from FILE or URL, or set update.from");
		if (options.check) return await check(updater, from);
		await take(updater, from, options);
	} catch (error) {
		throw forPeople(error, places.folder);
	}
}

/** Errors of the file system are shown to people as well. */
function forPeople(error: unknown, folder: string): unknown {
	const known = asPackageError(error, folder);
	const { syscall, message } = known as NodeJS.ErrnoException;
	return syscall === undefined
		? known
		: new UpdateError(`${folder}: ${message}`, { cause: known });
}

async function check(updater: Updater, from: string): Promise<void> {
	const { offer, newer, refused } = await updater.check(from);
	const outcome = refused
		? `it was tried and rolled back: ${refused.why}`
		: "it would be installed";
	print(
		`${from} is ${described(offer)}, signed by ${offer.signature.signer.id}; installed is ${ownVersion()}: ${newer ? outcome : "nothing newer"}`,
	);
}

async function take(
	updater: Updater,
	from: string,
	{ allowDowngrade = false, again = false }: Options,
): Promise<void> {
	const { offer } = await updater.check(from);
	const progress: Progress = openProgress("taking", offer.release.bytes ?? 0);
	try {
		const isTaken = await updater.update(from, {
			allowDowngrade,
			again,
			onBytes: (bytes) => progress.advance(bytes),
		});
		if (!isTaken) print(`nothing newer than ${ownVersion()}`);
	} finally {
		progress.close();
	}
}

function watchOf({ server, update }: Config) {
	return {
		url: `${serverAddress(server)}/healthz`,
		seconds: update.healthy_seconds,
	};
}

async function onTrial(
	{ at }: { at: "start" | "ready" },
	command: Command,
): Promise<void> {
	// before a start the previous version runs this; it lies beside the program
	const places = placesOf(programFile.replace(/\.previous$/, ""));
	if (at === "start") {
		const begun = await beginStart(places);
		if (begun.is === "back")
			print(`${begun.attempt.to} is rolled back: ${begun.why}`);
		return;
	}
	const trouble = await untilHealthy(
		places,
		watchOf(configFor(command).values),
	);
	if (trouble === undefined) await endTrial(places);
}

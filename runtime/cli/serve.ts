/** `earshot serve`: runs the appliance until it is stopped. Messages for people go to standard error; standard output is the log. */
import { join } from "node:path";
import type { Command } from "commander";
import { openServiceManager } from "../../drivers/systemd/notify.js";
import { ServerError } from "../api/server/server-error.js";
import { Appliance } from "../appliance.js";
import { ConfigError } from "../config/config-error.js";
import { installRoot } from "../config/install-root.js";
import { ownVersion } from "../config/own-program.js";
import type { Config } from "../config/schema.js";
import { journalPrefix, leadsToJournal } from "../log/journal.js";
import { createLogger, type Logger } from "../log/log.js";
import { LogTail } from "../log/log-tail.js";
import { PackageError } from "../models/package/model-package.js";
import { ServiceNotices } from "../service/notices.js";
import { checkEveryMs } from "../service/watchdog.js";
import { silenceMsMax } from "../store/damage-check.js";
import { StoreError } from "../store/store-error.js";
import { CertificateError } from "../tls/certificates.js";
import { beginOwnTrial } from "./own-trial.js";
import { pairingText } from "./pair.js";
import { serverAddress } from "./server-address.js";
import { stopLimitMs } from "./stop-limit.js";
import { validUntil } from "./tokens.js";
import { untilReady } from "./until-ready.js";
import { action, configFor, verb } from "./verb.js";

/** Checking the database may take long as long as it makes progress; a check without progress is ended before this. */
const openMsMax = silenceMsMax + 15_000;
/** How often the log reports the progress of a long start. */
const progressEveryMs = 10_000;

export function serveCommand(): Command {
	return verb("serve", "serve the /v1 API").action(
		action((_options: object, command: Command) =>
			serve(() => configFor(command).values),
		),
	);
}

async function serve(readConfig: () => Config): Promise<void> {
	if (!hasTerminal()) process.on("SIGHUP", () => {}); // ignored until it means a reload
	const config = readConfig();
	process.stderr.on("error", () => {}); // a file on a full disk, or a reader that has left
	const logTail = new LogTail();
	const log = createLogger(config.log, logTail);
	const watchHealth = await beginOwnTrial((text) => show(text, "error"));
	const manager = await openServiceManager(log.debug.bind(log));
	const notices = new ServiceNotices(manager, log);
	const appliance = await notices.during(
		"opening the database",
		openMsMax,
		(reportProgress) =>
			open(config, readConfig, { log, logTail }, reportProgress),
	);
	stopOnSignal(appliance, notices, log);
	reloadOnSignal(appliance, notices, log);
	const port = await appliance.start().catch(forPeople);
	const address = serverAddress({ host: config.server.host, port });
	log.info({ host: config.server.host, port }, "listening");
	show(`listening on ${address}`);
	watchHealth(`${address}/healthz`);
	if (appliance.lacksTokens)
		show(await welcome(appliance, address, config, port));
	await notices.during(
		"loading the model",
		config.engine.ready_seconds_max * 1000,
		() => untilReady(() => appliance.startState(), show),
	);
	notices.ready({
		vitals: () => appliance.vitals(checkEveryMs(manager.watchdogMs)),
		status: () => appliance.status,
	});
}

function open(
	config: Config,
	readConfig: () => Config,
	{ log, logTail }: { readonly log: Logger; readonly logTail: LogTail },
	reportProgress: (progress: string) => void,
): Promise<Appliance> {
	let loggedMs = performance.now();
	return Appliance.open({
		config,
		readConfig,
		log,
		logTail,
		version: ownVersion(),
		onProgress: ({ doing, done, total }) => {
			reportProgress(`${doing}, ${Math.floor((100 * done) / total)} %`);
			if (performance.now() - loggedMs < progressEveryMs) return;
			loggedMs = performance.now();
			log.info({ doing, done, total }, "database check in progress");
		},
		onFatal: (error) => {
			log.fatal({ err: error }, "fatal error, exiting for a restart");
			process.exit(1);
		},
	}).catch(forPeople);
}

/** An error that a person can fix is shown as one sentence with an exit code, without a stack. */
function forPeople(error: unknown): never {
	const isKnown =
		error instanceof ServerError ||
		error instanceof CertificateError ||
		error instanceof PackageError ||
		error instanceof StoreError ||
		error instanceof ConfigError;
	if (!isKnown) throw error;
	show(error.message, "error");
	process.exit(1);
}

function stopOnSignal(
	appliance: Appliance,
	notices: ServiceNotices,
	log: Logger,
): void {
	let stopping = false;
	const stop = (signal: NodeJS.Signals) => {
		if (stopping) process.exit(1); // second signal: at once
		stopping = true;
		log.info({ signal }, "stopping");
		const limitMs = stopLimitMs(appliance.drainSeconds);
		notices.stopping(limitMs);
		setTimeout(() => {
			const { ending } = appliance;
			log.error({ ending, limitMs }, "not stopped in time, exiting");
			process.exit(1);
		}, limitMs).unref();
		appliance.stop().then(
			() => process.exit(0),
			(error: unknown) => {
				log.error({ err: error }, "shutdown failed");
				process.exit(1);
			},
		);
	};
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
	// the terminal was closed
	if (hasTerminal()) process.on("SIGHUP", stop);
}

function reloadOnSignal(
	appliance: Appliance,
	notices: ServiceNotices,
	log: Logger,
): void {
	if (hasTerminal()) return;
	process.on("SIGHUP", () =>
		notices.reloading(() => {
			try {
				appliance.reload();
			} catch (error) {
				if (!(error instanceof ConfigError)) throw error;
				const { message: reason } = error;
				log.error({ reason }, "configuration not reloaded, nothing changed");
			}
		}),
	);
}

function hasTerminal(): boolean {
	return process.stdout.isTTY === true || process.stderr.isTTY === true;
}

/** The token is only shown on a terminal: any other output may be stored or forwarded. */
async function welcome(
	appliance: Appliance,
	address: string,
	config: Config,
	port: number,
): Promise<string> {
	if (process.stderr.isTTY !== true)
		return "there is no token yet; create one with: earshot token create --name NAME";
	const { token, row } = await appliance.firstToken();
	const pairing = config.console.enabled
		? await pairingText({
				pairings: appliance.pairings,
				name: "console",
				config,
				port,
				clock: appliance.clock,
				certificateSha256: appliance.certificateSha256,
				columns: process.stderr.columns,
			})
		: "";
	const clip = join(installRoot, "models/whisper-base/probe.wav");
	return `this token is shown once, and ${validUntil(row)} (one that is valid for a year: earshot token create --name NAME --ttl 365d):

    ${token}

try it:

    curl -sS -H "Authorization: Bearer ${token}" --data-binary @${clip} "${address}/v1/asr/api?lang_type=en-US&format=wav"

${pairing}`;
}

function show(text: string, level = "info"): void {
	const prefix = leadsToJournal(2) ? journalPrefix(level) : "";
	process.stderr.write(`${prefix}earshot: ${text}\n`);
}

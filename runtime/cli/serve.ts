/** `earshot serve`: the appliance, until it is told to stop. What a person needs to know goes to standard error; standard output is the log. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { ServerError } from "../api/server/server-error.js";
import { Appliance } from "../appliance.js";
import { installRoot } from "../config/install-root.js";
import type { Config } from "../config/schema.js";
import { createLogger, type Logger } from "../log.js";
import { PackageError } from "../models/package/model-package.js";
import { action, configFor, verb } from "./verb.js";

/** A stop that takes longer than draining and this is ended by force. */
const stopSlackMs = 5000;

export function serveCommand(): Command {
	return verb("serve", "serve the /v1 API").action(
		action((_options: object, command: Command) =>
			serve(configFor(command).values),
		),
	);
}

async function serve(config: Config): Promise<void> {
	const log = createLogger(config.log);
	const appliance = await open(config, log);
	stopOnSignal(appliance, config, log);
	const port = await appliance.start().catch(forPeople);
	const address = `http://${shownHost(config.server.host)}:${port}`;
	log.info({ host: config.server.host, port }, "listening");
	show(`listening on ${address}`);
	const token = await appliance.firstToken();
	if (token !== undefined) show(welcome(address, token));
	await appliance.untilReady().then(
		() => show("ready"),
		(error: Error) => show(`not ready: ${error.message}; see the log`),
	);
}

function open(config: Config, log: Logger): Promise<Appliance> {
	return Appliance.open({
		config,
		log,
		version: packageVersion(),
		onFatal: (error) => {
			log.fatal({ err: error }, "ending, to be started again");
			process.exit(1);
		},
	}).catch(forPeople);
}

/** What a person can mend is a sentence and an exit code, not a stack. */
function forPeople(error: unknown): never {
	const isKnown = error instanceof ServerError || error instanceof PackageError;
	if (!isKnown) throw error;
	process.stderr.write(`earshot: ${error.message}\n`);
	process.exit(1);
}

function stopOnSignal(appliance: Appliance, config: Config, log: Logger): void {
	let stopping = false;
	const stop = (signal: NodeJS.Signals) => {
		if (stopping) process.exit(1); // asked twice: now
		stopping = true;
		log.info({ signal }, "stopping");
		const limitMs = config.server.drain_seconds * 1000 + stopSlackMs;
		setTimeout(() => process.exit(1), limitMs).unref();
		appliance.stop().then(
			() => process.exit(0),
			(error: unknown) => {
				log.error({ err: error }, "stopped in disorder");
				process.exit(1);
			},
		);
	};
	process.on("SIGTERM", stop);
	process.on("SIGINT", stop);
}

/** Not to the log: logs are kept and sent around, and this is a secret. */
function welcome(address: string, token: string): string {
	const clip = join(installRoot, "models/whisper-base/probe.wav");
	if (process.env.JOURNAL_STREAM)
		return "make a token with: earshot token create --name NAME";
	return `this token is shown once (make others with: earshot token create --name NAME):

    ${token}

try it:

    curl -sS -H "Authorization: Bearer ${token}" --data-binary @${clip} "${address}/v1/asr/api?lang_type=en-US&format=wav"
`;
}

function show(text: string): void {
	process.stderr.write(`earshot: ${text}\n`);
}

function shownHost(host: string): string {
	if (host === "0.0.0.0" || host === "::") return "127.0.0.1";
	return host.includes(":") ? `[${host}]` : host;
}

function packageVersion(): string {
	const text = readFileSync(join(installRoot, "package.json"), "utf8");
	return String(JSON.parse(text).version);
}

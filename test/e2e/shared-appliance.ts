/**
 * One appliance with every door open, for the files of tests that leave it as they found it: starting one costs as much as recognizing a dozen clips. Each
 * caller has a token, and so tasks and word lists, of its own. It is stopped when the process has run all its files (scripts/tests/processes.ts).
 */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as tap from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { claimedPort } from "../fixtures/claimed-port.js";
import { receiver } from "../tasks/running-tasks.js";
import { makeToken, RunningAppliance } from "./running-appliance.js";

/** Made before the start, as the first token of others is. */
const tokensMax = 16;

/** On 127.0.0.1. */
interface Ports {
	readonly tls: number;
	readonly wyoming: number;
	readonly vosk: number;
	readonly audioSocket: number;
	/** Where nobody listens: a page that comes from there, at localhost, is let in. */
	readonly page: number;
}

interface Shared {
	readonly appliance: RunningAppliance;
	readonly ports: Ports;
	/** Of calls. */
	readonly callbacks: Awaited<ReturnType<typeof receiver>>;
}

let started: Promise<{ shared: Shared; tokens: string[] }> | undefined;

/** Healthy; not to be disposed of. */
export async function sharedAppliance(): Promise<RunningAppliance> {
	return (await sharedWithPorts()).appliance;
}

/** The same, for those who do not come by HTTP alone. */
export async function sharedWithPorts(): Promise<Shared> {
	started ??= start();
	const { shared, tokens } = await started;
	const token = tokens.pop();
	if (token === undefined) throw new Error(`more than ${tokensMax} ask for it`);
	const { appliance, ports, callbacks } = shared;
	await appliance.untilHealthy();
	return { appliance: appliance.as(token), ports, callbacks };
}

async function start(): Promise<{ shared: Shared; tokens: string[] }> {
	const stateDir = mkdtempSync(join(tmpdir(), "earshot-e2e-"));
	const store = await openStore({ dir: stateDir, as: "visit" });
	const tokens: string[] = [];
	for (let n = 1; n <= tokensMax; n++)
		tokens.push(await makeToken(store, `file-${n}`));
	await store.close();
	const { root } = tap as unknown as { readonly root: typeof tap.t };
	const callbacks = await receiver(root);
	const ports: Ports = {
		tls: await claimedPort(),
		wyoming: await claimedPort(),
		vosk: await claimedPort(),
		audioSocket: await claimedPort(),
		page: await claimedPort(),
	};
	const appliance = await RunningAppliance.launch(
		environmentOf(ports, callbacks.url),
		stateDir,
	);
	root.teardown(() => appliance.dispose());
	return { shared: { appliance, ports, callbacks }, tokens };
}

function environmentOf(
	ports: Ports,
	callbackUrl: string,
): Record<string, string> {
	return {
		EARSHOT_TLS_PORT: String(ports.tls),
		EARSHOT_WYOMING_ENABLED: "true",
		EARSHOT_WYOMING_HOST: "127.0.0.1",
		EARSHOT_WYOMING_PORT: String(ports.wyoming),
		EARSHOT_VOSK_ENABLED: "true",
		EARSHOT_VOSK_HOST: "127.0.0.1",
		EARSHOT_VOSK_PORT: String(ports.vosk),
		EARSHOT_AUDIOSOCKET_ENABLED: "true",
		EARSHOT_AUDIOSOCKET_HOST: "127.0.0.1",
		EARSHOT_AUDIOSOCKET_PORT: String(ports.audioSocket),
		EARSHOT_SERVER_CORS_ORIGINS: `http://localhost:${ports.page}`,
		EARSHOT_ENDPOINTS_WHISPER_CPP: "true",
		EARSHOT_ENDPOINTS_SYNC_SECONDS: "10", // what is longer takes long to hear
		EARSHOT_CALLS_CALLBACK_URL: callbackUrl,
		EARSHOT_CALLS_RETURN_SECONDS: "0",
		EARSHOT_CALLS_SILENT_SECONDS: "600", // a leg's slot is still taken when its text is there, however late that is
		EARSHOT_OUTBOUND_ALLOW: "127.0.0.1",
	};
}

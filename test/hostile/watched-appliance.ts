/** A real appliance, its broker, and how long its event loop is held. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Test } from "tap";
import { RunningAppliance } from "../e2e/running-appliance.js";
import { Broker, brokerMissing } from "../fleet/broker.js";
import { Listener } from "../fleet/listener.js";
import { LoopProbe } from "./loop-probe.js";

const preload = join(import.meta.dirname, "fixtures/watched.js");

export interface WatchedAppliance {
	readonly appliance: RunningAppliance;
	/** Undefined where no broker is installed. */
	readonly listener: Listener | undefined;
	readonly main: LoopProbe;
	readonly engine: LoopProbe;
}

export const fleetBase = "earshot/hq/kiosk-1";

/** Gone when the test is over. Nobody is too fast for it. @param stateDir a new one where it is left out. @param model the environment that names another one. */
export async function startWatched(
	t: Pick<Test, "teardown">,
	stateDir?: string,
	model: Record<string, string> = {},
): Promise<WatchedAppliance> {
	// a test's own folder has too long a path for a socket
	const folder = mkdtempSync(join(tmpdir(), "earshot-loop-"));
	t.teardown(() => rmSync(folder, { recursive: true, force: true }));
	const broker = brokerMissing
		? undefined
		: await Broker.during(t, folder, [
				"allow_anonymous true",
				"set_tcp_nodelay true",
			]);
	const environment = {
		...model,
		NODE_OPTIONS: `--import=${preload}`,
		LOOP_WATCH: folder,
		EARSHOT_LOG_LEVEL: "warn", // thousands of requests
		EARSHOT_AUTH_RATE_PER_SECOND: "100000",
		EARSHOT_AUTH_RATE_BURST: "100000",
		EARSHOT_ENDPOINTS_WHISPER_CPP: "true",
		...(broker && {
			EARSHOT_FLEET_URL: broker.url,
			EARSHOT_FLEET_SITE: "hq",
			EARSHOT_FLEET_DEVICE: "kiosk-1",
			EARSHOT_FLEET_COMMANDS:
				"reload,mute,talk,hotwords,transcribe,restart-engine,pair",
			EARSHOT_FLEET_COMMANDS_PER_SECOND: "1000",
		}),
	};
	const appliance = await RunningAppliance.start(environment, stateDir);
	t.teardown(() => appliance.dispose());
	const listener =
		broker &&
		(await Listener.during(t, broker.url, [
			"answers/#",
			`${fleetBase}/status`,
		]));
	await listener?.until((it) => it.text.includes('"online"'));
	const main = await LoopProbe.of(folder, "serve");
	const engine = await LoopProbe.of(folder, "engine");
	t.teardown(() => {
		main.close();
		engine.close();
	});
	return { appliance, listener, main, engine };
}

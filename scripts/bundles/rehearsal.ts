/**
 * What a server and an engine do at their start, done once when the program's bundle is made: V8 then keeps what it compiled of the functions that ran, and
 * every process begins with it.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Appliance } from "../../runtime/appliance.js";
import { loadConfig } from "../../runtime/config/load.js";
import type { Config } from "../../runtime/config/schema.js";
import { openCore } from "../../runtime/engine/child/open-core.js";
import { engineSettings } from "../../runtime/engine/from-config.js";
import { createLogger } from "../../runtime/log/log.js";

/** @throws where a model is missing or damaged, or no port of this machine can be listened on. */
export async function rehearse(): Promise<void> {
	const state = mkdtempSync(join(tmpdir(), "earshot-rehearsal-"));
	try {
		const { values } = loadConfig({
			environment: {
				EARSHOT_STATE_DIR: state,
				EARSHOT_SERVER_HOST: "127.0.0.1",
				EARSHOT_SERVER_PORT: "0",
				EARSHOT_TLS_PORT: "0", // a server may be running
				EARSHOT_LOG_LEVEL: "fatal",
			},
		});
		await startServer(values);
		await startEngine(values);
	} finally {
		rmSync(state, { recursive: true, force: true });
	}
}

async function startEngine(config: Config): Promise<void> {
	const core = await openCore(engineSettings("live", config));
	await core.probe();
	await core.close();
}

/** Without waiting for the engine that it starts. */
async function startServer(config: Config): Promise<void> {
	const appliance = await Appliance.open({
		config,
		readConfig: () => config,
		log: createLogger(config.log),
		version: "0.0.0",
		onFatal: (error) => {
			throw error;
		},
	});
	try {
		const port = await appliance.start();
		const token = await appliance.firstToken();
		const headers = { authorization: `Bearer ${token}` };
		for (const path of ["/healthz", "/metrics", "/v1/asrfile/tasks"])
			await fetch(`http://127.0.0.1:${port}${path}`, { headers });
	} finally {
		await appliance.stop();
	}
}

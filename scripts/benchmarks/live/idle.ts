/**
 * What a session costs that is started and says nothing: many of them at once, on a server of its own that lets so many in.
 */
import { setTimeout as pause } from "node:timers/promises";
import { EarshotClient } from "../../../runtime/client/earshot-client.js";
import { residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import { type Server, withServer } from "../server.js";

const kibibytesMax = 64;
const atOnce = 50;
/** More than the measurement takes. */
const connectTimeoutSeconds = 60;

export async function measureIdle(
	sessions: number,
): Promise<readonly Measurement[]> {
	const room = {
		EARSHOT_AUTH_RATE_PER_SECOND: "0",
		EARSHOT_SERVER_CONNECTIONS_MAX: "8192",
		EARSHOT_ENGINE_LIVE_SLOTS: "1000",
	};
	return withServer(room, async (server) => {
		// what the first ones cost once is not theirs
		for (const client of await startSome(server, atOnce)) client.close();
		await pause(1000);
		const before = sizes(server);
		const open: EarshotClient[] = [];
		while (open.length < sessions)
			open.push(...(await startSome(server, atOnce)));
		await pause(1000);
		const after = sizes(server);
		for (const client of open) client.close();
		const each = ((after.main - before.main) * 1024) / sessions;
		const inEngine = ((after.engine - before.engine) * 1024) / sessions;
		return [
			{
				what: `live: memory of a session that says nothing, API's process / engine (${sessions} at once, ${before.main.toFixed(1)} -> ${after.main.toFixed(1)} MB / ${before.engine.toFixed(0)} -> ${after.engine.toFixed(0)} MB)`,
				earshot: `${each.toFixed(1)} / ${inEngine.toFixed(0)} KiB`,
				goal: judged(
					`< ${kibibytesMax} KiB in the API's process`,
					each < kibibytesMax,
				),
			},
		];
	});
}

function sizes(server: Server): { main: number; engine: number } {
	return {
		main: residentMegabytes(server.pid),
		engine: residentMegabytes(server.enginePid()),
	};
}

function startSome(server: Server, count: number): Promise<EarshotClient[]> {
	return Promise.all(
		Array.from({ length: count }, async () => {
			const client = new EarshotClient(server.endpoint);
			await client.start({
				lang_type: "en-US",
				connect_timeout: connectTimeoutSeconds,
			});
			return client;
		}),
	);
}

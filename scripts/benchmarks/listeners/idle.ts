/** What a Wyoming or Vosk connection costs that is open and says nothing. */
import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import WebSocket from "ws";
import { residentMegabytes } from "../process-usage.js";
import { judged, type Measurement } from "../report.js";
import { freePort, withServer } from "../server.js";

const kibibytesMax = 64;

/** @returns how to close it. */
type Open = (port: number) => Promise<() => void>;

export async function measureIdle(
	count: number,
): Promise<readonly Measurement[]> {
	const [wyoming, vosk] = [await freePort(), await freePort()];
	const settings = {
		EARSHOT_WYOMING_ENABLED: "true",
		EARSHOT_WYOMING_HOST: "127.0.0.1",
		EARSHOT_WYOMING_PORT: `${wyoming}`,
		EARSHOT_VOSK_ENABLED: "true",
		EARSHOT_VOSK_HOST: "127.0.0.1",
		EARSHOT_VOSK_PORT: `${vosk}`,
	};
	// a server for each: what one leaves would be used by the next
	return [
		await withServer(settings, ({ pid }) =>
			measure("Wyoming", openWyoming, wyoming, count, pid),
		),
		await withServer(settings, ({ pid }) =>
			measure("Vosk", openVosk, vosk, count, pid),
		),
	];
}

async function measure(
	name: string,
	open: Open,
	port: number,
	count: number,
	pid: number,
): Promise<Measurement> {
	const openAll = () =>
		Promise.all(Array.from({ length: count }, () => open(port)));
	(await open(port))(); // what the first one costs once is not theirs
	await sleep(2000);
	const before = residentMegabytes(pid);
	const closeAll = await openAll();
	await sleep(2000);
	const after = residentMegabytes(pid);
	for (const close of closeAll) close();
	const each = ((after - before) * 1024) / count;
	return {
		what: `${name}: memory of a connection that says nothing, main process (${count} at once, ${before.toFixed(1)} -> ${after.toFixed(1)} MB)`,
		earshot: `${each.toFixed(1)} KiB`,
		goal: judged(`< ${kibibytesMax} KiB`, each < kibibytesMax),
	};
}

/** It has been described, as every client begins. */
async function openWyoming(port: number): Promise<() => void> {
	const socket = connect(port, "127.0.0.1");
	await once(socket, "connect");
	socket.write('{"type":"describe"}\n');
	await once(socket, "data");
	return () => socket.destroy();
}

async function openVosk(port: number): Promise<() => void> {
	const socket = new WebSocket(`ws://127.0.0.1:${port}`);
	await once(socket, "open");
	socket.send('{"config":{"sample_rate":16000}}');
	return () => socket.terminate();
}

/**
 * What a connection costs the API's process that says nothing: many of them, connected and let in, nothing started.
 */
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import WebSocket from "ws";
import { type Figure, judged } from "../report.js";
import { residentMegabytes, type Server } from "../server.js";

const kibibytesMax = 64;
const atOnce = 50;

export async function measureIdle(
	server: Server,
	connections: number,
): Promise<readonly Figure[]> {
	const { url, token } = server.door;
	await connectSome(url, token, atOnce).then(closeAll); // what the first ones cost once is not theirs
	const before = residentMegabytes(server.pid);
	const open: WebSocket[] = [];
	while (open.length < connections)
		open.push(...(await connectSome(url, token, atOnce)));
	await pause(500);
	const after = residentMegabytes(server.pid);
	const still = open.filter((it) => it.readyState === WebSocket.OPEN).length;
	await closeAll(open);
	const kibibytes = ((after - before) * 1024) / connections;
	return [
		{
			what: `live: memory of the API's process per idle connection (${still} of ${connections} open, ${before.toFixed(1)} -> ${after.toFixed(1)} MB)`,
			earshot: `${kibibytes.toFixed(1)} KiB`,
			goal: judged(
				`< ${kibibytesMax} KiB`,
				kibibytes < kibibytesMax && still === connections,
			),
		},
	];
}

function connectSome(
	url: string,
	token: string,
	count: number,
): Promise<WebSocket[]> {
	return Promise.all(
		Array.from({ length: count }, async () => {
			const socket = new WebSocket(`${url.replace("http", "ws")}/v1/asr/ws`, {
				headers: { authorization: `Bearer ${token}` },
			});
			await once(socket, "open");
			socket.on("error", () => {});
			return socket;
		}),
	);
}

async function closeAll(sockets: readonly WebSocket[]): Promise<void> {
	for (const socket of sockets) socket.terminate();
	await pause(500);
}

/** Memory of sockets before their session has begun: a few may send a long message, all others a short one. */
import type { Socket } from "node:net";
import t from "tap";
import { type RunningApi, startApi } from "../api/running-api.js";
import { eventually, until } from "../fixtures/eventually.js";
import { LiveClient } from "./live-client.js";

const kibibyte = 1024;
const longBytes = 1024 * kibibyte;

/** The beginning of a binary message, masked with zeros, that announces more than is sent. */
function beginMessage(client: LiveClient, sentBytes: number): void {
	const head = Buffer.alloc(14);
	head.writeUInt16BE(0x82ff); // final, binary; masked, a long length follows
	head.writeBigUInt64BE(BigInt(sentBytes + 1), 2);
	const raw = (client.socket as unknown as { _socket: Socket })._socket;
	raw.write(Buffer.concat([head, Buffer.alloc(sentBytes)]));
}

const isOpen = ({ socket }: LiveClient) => socket.readyState === socket.OPEN;

async function open(api: RunningApi, count: number): Promise<LiveClient[]> {
	const clients: LiveClient[] = [];
	for (let i = 0; i < count; i++)
		clients.push(await LiveClient.open(api.url, { token: api.token }));
	return clients;
}

t.test(
	"only a few sockets without a session hold a long message",
	async (t) => {
		const api = await startApi(t);
		const clients = await open(api, 40);
		for (const client of clients) beginMessage(client, longBytes);
		await until(() => clients.filter(isOpen).length <= 16);
		t.equal(clients.filter(isOpen).length, 16, "sixteen stay");
		for (const client of clients)
			if (!isOpen(client)) t.equal(await client.closed, 1006);

		const [short] = await open(api, 1);
		if (!short) return;
		beginMessage(short, 60 * kibibyte);
		for (const client of clients) client.socket.terminate();
		await eventually(
			"sessions of dead sockets to end",
			async () => (await api.sessions()) === 1,
		);
		t.ok(isOpen(short), "a short one is as good before a start as after it");
		short.socket.terminate();
	},
);

t.test(
	"a place is given back at the start, and long audio is recognized",
	async (t) => {
		const api = await startApi(t, { auth: { rate_per_second: 0 } });
		for (let round = 0; round < 20; round++) {
			const [client] = await open(api, 1);
			client?.start();
			await client?.receive("RecognitionStarted");
			client?.audio(longBytes);
			await eventually(
				`the audio of client ${round}`,
				() => api.lane.last.bytes === longBytes,
			);
		}
	},
);

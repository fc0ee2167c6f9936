/** A streaming service whose answers are decided by the test: a client must cope with any misbehaviour. */
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { type WebSocket, WebSocketServer } from "ws";

export interface Caller {
	readonly socket: WebSocket;
	readonly headers: IncomingHttpHeaders;
	readonly path: string;
	/** Names of the messages received, in order. */
	readonly names: string[];
	/** Payload of the start message. */
	options: unknown;
	audioBytes: number;
	send(name: string, payload?: object, header?: object): void;
}

export interface Script {
	/** An answer instead of an upgrade. */
	readonly refuse?: { readonly http: number; readonly body: string };
	onStart?(caller: Caller): void;
	onAudio?(caller: Caller, bytes: Buffer): void;
	onStop?(caller: Caller): void;
	onOther?(caller: Caller, name: string): void;
}

export interface FakeService {
	readonly url: string;
	readonly callers: readonly Caller[];
}

interface Parent {
	teardown(act: () => void): unknown;
}

/** As earshot does, unless the script says otherwise. */
const obedient: Required<Omit<Script, "refuse">> = {
	onStart: (caller) => caller.send("RecognitionStarted", { index: 0 }),
	onAudio: () => {},
	onStop: (caller) => {
		caller.send("RecognitionCompleted", spoken("all of it"));
		caller.socket.close(1000);
	},
	onOther: () => {},
};

export function spoken(result: string, index = 1): object {
	return {
		index,
		time: 900,
		begin_time: 100,
		speaker_id: null,
		result,
		confidence: 0.9,
		words: null,
	};
}

export async function startService(
	t: Parent,
	script: Script = {},
): Promise<FakeService> {
	const act = { ...obedient, ...script };
	const callers: Caller[] = [];
	const http = createServer();
	const sockets = new WebSocketServer({ noServer: true });
	http.on("upgrade", (request, raw, head) => {
		if (script.refuse) {
			const { http: status, body } = script.refuse;
			raw.end(
				`HTTP/1.1 ${status} No\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
			);
			return;
		}
		sockets.handleUpgrade(request, raw, head, (socket) => {
			const caller = callerOf(socket, request.headers, request.url ?? "");
			callers.push(caller);
			socket.on("message", (data, isBinary) => {
				if (isBinary) {
					caller.audioBytes += (data as Buffer).length;
					act.onAudio(caller, data as Buffer);
					return;
				}
				const { header, payload } = JSON.parse(String(data));
				caller.names.push(header.name);
				if (header.name.startsWith("Start")) {
					caller.options = payload;
					act.onStart(caller);
				} else if (header.name.startsWith("Stop")) act.onStop(caller);
				else act.onOther(caller, header.name);
			});
			socket.on("error", () => {});
		});
	});
	await once(http.listen(0, "127.0.0.1"), "listening");
	t.teardown(() => {
		for (const socket of sockets.clients) socket.terminate();
		http.close();
	});
	const { port } = http.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, callers };
}

function callerOf(
	socket: WebSocket,
	headers: IncomingHttpHeaders,
	path: string,
): Caller {
	return {
		socket,
		headers,
		path,
		names: [],
		options: undefined,
		audioBytes: 0,
		send(name, payload = {}, header = {}) {
			const usual = { name, status: "000000", task_id: "T1" };
			socket.send(JSON.stringify({ header: { ...usual, ...header }, payload }));
		},
	};
}

/** A camera as RFC 2326 describes one: its sound as mu-law at 8 kHz (RFC 3551, payload type 0), over the connection that asks. It has a picture, too, which nobody asks for. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

const packetMs = 20;
const samplesOfPacket = 160;
/** A square wave of 500 Hz in mu-law. */
const sound = Uint8Array.from({ length: samplesOfPacket }, (_, at) =>
	at % 16 < 8 ? 0x9a : 0x1a,
);

export interface Camera {
	readonly url: string;
	/** Requests so far, without their headers: `SETUP rtsp://.../trackID=0`. */
	readonly requests: readonly string[];
	/** `Authorization` of those that had one. */
	readonly logins: readonly string[];
}

interface Parent {
	teardown(act: () => unknown): unknown;
}

/** @param login `user:password` that it asks for. @param packetsMax after which it is silent and stays connected. */
export async function startCamera(
	t: Parent,
	login?: string,
	packetsMax = Number.POSITIVE_INFINITY,
): Promise<Camera> {
	const requests: string[] = [];
	const logins: string[] = [];
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		let playing: NodeJS.Timeout | undefined;
		socket.on("error", () => {});
		socket.on("close", () => clearInterval(playing));
		let text = "";
		socket.on("data", (bytes) => {
			text += bytes.toString("latin1");
			for (;;) {
				const end = text.indexOf("\r\n\r\n");
				if (end < 0) return;
				const [line = "", ...headers] = text.slice(0, end).split("\r\n");
				text = text.slice(end + 4);
				requests.push(line.replace(/ RTSP\/1\.0$/, ""));
				const header = (name: string) =>
					headers
						.find((it) => it.toLowerCase().startsWith(`${name}:`))
						?.slice(name.length + 1)
						.trim() ?? "";
				const answer = (status: string, more: string[] = [], body = "") =>
					socket.write(
						[
							`RTSP/1.0 ${status}`,
							`CSeq: ${header("cseq")}`,
							...more,
							...(body ? [`Content-Length: ${body.length}`] : []),
							`\r\n${body}`,
						].join("\r\n"),
					);
				const given = header("authorization");
				if (given) logins.push(given);
				if (login !== undefined && given === "") {
					answer("401 Unauthorized", ['WWW-Authenticate: Basic realm="door"']);
					continue;
				}
				const [method] = line.split(" ");
				if (method === "DESCRIBE")
					answer("200 OK", ["Content-Type: application/sdp"], description);
				else if (method === "SETUP")
					answer("200 OK", [
						"Transport: RTP/AVP/TCP;unicast;interleaved=0-1",
						"Session: 1",
					]);
				else answer("200 OK", ["Public: DESCRIBE, SETUP, PLAY", "Session: 1"]);
				if (method === "PLAY") {
					let sequence = 0;
					playing = setInterval(() => {
						if (sequence < packetsMax) socket.write(packet(sequence++));
					}, packetMs);
				}
			}
		});
	}).listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `rtsp://127.0.0.1:${port}/live`, requests, logins };
}

const description = [
	...["v=0", "o=- 0 0 IN IP4 127.0.0.1", "s=door", "t=0 0"],
	...["m=video 0 RTP/AVP 96", "a=rtpmap:96 H264/90000", "a=control:trackID=1"],
	...["m=audio 0 RTP/AVP 0", "a=rtpmap:0 PCMU/8000", "a=control:trackID=0"],
	"",
].join("\r\n");

/** Interleaved in the connection: channel 0. */
function packet(sequence: number): Buffer {
	const rtp = Buffer.alloc(12);
	rtp[0] = 0x80;
	rtp.writeUInt16BE(sequence & 0xffff, 2);
	rtp.writeUInt32BE((sequence * samplesOfPacket) >>> 0, 4);
	rtp.writeUInt32BE(1, 8);
	const length = rtp.length + sound.length;
	const frame = Buffer.of(0x24, 0, length >> 8, length & 255);
	return Buffer.concat([frame, rtp, sound]);
}

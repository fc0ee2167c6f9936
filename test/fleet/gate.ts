/** A proxy to a broker that can be shut, and that breaks connections when certain bytes pass: a bad network, or a broker that crashes on a message. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** MQTT 5 section 2.1.2. */
export const packetTypes = { puback: 4, suback: 9 };
export const typeOf = (packet: Buffer) => (packet[0] ?? 0) >> 4;
/** MQTT 5 section 3.3.1.1. */
const dupFlag = 0x08;

/** Splits a stream of bytes into MQTT packets (MQTT 5 section 2.1). */
export class Packets {
	#bytes = Buffer.alloc(0);

	accept(bytes: Buffer): Buffer[] {
		this.#bytes = Buffer.concat([this.#bytes, bytes]);
		const packets: Buffer[] = [];
		for (let end = this.#end(); end !== undefined; end = this.#end()) {
			packets.push(this.#bytes.subarray(0, end));
			this.#bytes = this.#bytes.subarray(end);
		}
		return packets;
	}

	/** Length of the first packet; undefined while it is incomplete. */
	#end(): number | undefined {
		let length = 0;
		for (let at = 1; at <= 4; at++) {
			const byte = this.#bytes[at];
			if (byte === undefined) return undefined;
			length += (byte & 0x7f) * 128 ** (at - 1);
			if (byte >= 0x80) continue;
			const end = at + 1 + length;
			return end <= this.#bytes.length ? end : undefined;
		}
		throw new Error("no MQTT");
	}
}

export class Gate {
	readonly port: number;
	readonly #server: Server;
	readonly #to: number;
	readonly #open = new Set<Socket>();
	/** Shut: connections are closed as soon as a client sends something. */
	isOpen = true;
	/** A connection that transmits this is broken before it arrives. */
	breaksOn: string | undefined;
	/** A message from the broker that contains this is delivered twice, the second time marked DUP. */
	redelivers: string | undefined;
	/** Replaces each packet of the broker. */
	fromBroker: (packet: Buffer) => readonly Buffer[] = (packet) => [packet];
	/** Number of connections requested. */
	count = 0;

	/** @param to port of the broker */
	static async start(to: number): Promise<Gate> {
		const server = createServer().listen(0, "127.0.0.1");
		await once(server, "listening");
		return new Gate(server, to);
	}

	private constructor(server: Server, to: number) {
		const address = server.address();
		if (address === null || typeof address === "string")
			throw new Error("no port");
		this.port = address.port;
		this.#server = server;
		this.#to = to;
		server.on("connection", (socket) => this.#accept(socket));
	}

	get url(): string {
		return `mqtt://127.0.0.1:${this.port}`;
	}

	shut(): void {
		this.isOpen = false;
		for (const socket of this.#open) socket.destroy();
	}

	async close(): Promise<void> {
		this.shut();
		this.#server.close();
		await once(this.#server, "close");
	}

	#accept(near: Socket): void {
		this.count++;
		near.on("error", () => {});
		if (!this.isOpen) {
			near.once("data", () => near.destroy());
			this.#keep(near);
			return;
		}
		const far = connect(this.#to, "127.0.0.1");
		far.on("error", () => near.destroy());
		far.on("close", () => near.destroy());
		near.on("close", () => far.destroy());
		near.on("data", (bytes: Buffer) => {
			const { breaksOn } = this;
			if (breaksOn !== undefined && bytes.includes(breaksOn)) near.destroy();
			else far.write(bytes);
		});
		const packets = new Packets();
		far.on("data", (bytes: Buffer) => {
			for (const packet of packets
				.accept(bytes)
				.flatMap((it) => this.fromBroker(it)))
				this.#pass(packet, near);
		});
		this.#keep(near);
	}

	#pass(packet: Buffer, near: Socket): void {
		near.write(packet);
		const { redelivers } = this;
		if (redelivers === undefined || !packet.includes(redelivers)) return;
		const again = Buffer.from(packet);
		again[0] = (again[0] ?? 0) | dupFlag;
		near.write(again);
	}

	#keep(socket: Socket): void {
		this.#open.add(socket);
		socket.on("close", () => this.#open.delete(socket));
	}
}

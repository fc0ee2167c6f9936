/** A way to a broker that can be shut, and that breaks off when certain bytes pass: a bad network, or a broker that does not survive a message. */
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

export class Gate {
	readonly port: number;
	readonly #server: Server;
	readonly #to: number;
	readonly #open = new Set<Socket>();
	/** Shut: connections are closed as soon as something was said. */
	isOpen = true;
	/** A connection on which this passes is broken off before it arrives. */
	breaksOn: string | undefined;
	/** Connections that were asked for. */
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
		far.on("data", (bytes: Buffer) => near.write(bytes));
		this.#keep(near);
	}

	#keep(socket: Socket): void {
		this.#open.add(socket);
		socket.on("close", () => this.#open.delete(socket));
	}
}

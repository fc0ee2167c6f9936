/** A broker that accepts each connection and ends it in the same segment, as one does that an operator or a plugin told to. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** MQTT 5 sections 3.2 and 3.14, without properties. */
const accepted = [0x20, 3, 0, 0, 0];
const administrativeAction = 0x98;
const ended = [0xe0, 1, administrativeAction];

export class EndingBroker {
	readonly #server = createServer((socket) => this.#serve(socket));
	/** Connections so far. */
	count = 0;

	static async start(): Promise<EndingBroker> {
		const broker = new EndingBroker();
		broker.#server.listen(0, "127.0.0.1");
		await once(broker.#server, "listening");
		return broker;
	}

	get url(): string {
		const { port } = this.#server.address() as AddressInfo;
		return `mqtt://127.0.0.1:${port}`;
	}

	close(): void {
		this.#server.close();
	}

	#serve(socket: Socket): void {
		this.count++;
		socket.on("error", () => {}); // the device may be faster
		socket.once("data", () => socket.end(Buffer.from([...accepted, ...ended])));
	}
}

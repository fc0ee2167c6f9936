/** A broker that accepts five unacknowledged messages, as HiveMQ does ten, and acknowledges none before a message of quality of service 0. */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import t from "tap";
import { BrokerConnection } from "../../runtime/fleet/broker/connection.js";
import { Packets, typeOf } from "./gate.js";

const receiveMax = 5;
/** MQTT 5 section 3.2: without a session, success, with one property. */
const accepted = [0x20, 6, 0, 0, 3, 0x21, 0, receiveMax];

t.test("a broker gets no more at once than it accepts", async (t) => {
	const unacknowledged: Buffer[] = [];
	const counts: number[] = [];
	const onPacket = (packet: Buffer, socket: Socket) => {
		const acknowledge = () => {
			for (const id of unacknowledged.splice(0))
				socket.write(Buffer.concat([Buffer.from([0x40, 2]), id]));
		};
		if (typeOf(packet) === 1) socket.write(Buffer.from(accepted));
		if (typeOf(packet) !== 3) return;
		if (((packet[0] ?? 0) & 2) === 0) {
			counts.push(unacknowledged.length);
			acknowledge();
			return;
		}
		const idAt = 4 + packet.readUInt16BE(2);
		unacknowledged.push(packet.subarray(idAt, idAt + 2));
		if (counts.length > 0) acknowledge();
	};
	const server = createServer((socket) => {
		const packets = new Packets();
		socket.on("error", () => {});
		socket.on("data", (bytes: Buffer) => {
			for (const packet of packets.accept(bytes)) onPacket(packet, socket);
		});
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	const connection = await BrokerConnection.open(
		{
			broker: { host: "127.0.0.1", port, secure: false },
			tls: () => ({}),
			user: undefined,
			password: undefined,
			clientId: "me",
			keepaliveSeconds: 60,
			will: { topic: "status", payload: "" },
		},
		new AbortController().signal,
	);
	t.teardown(() => connection.close());
	const publish = (qos: 0 | 1) =>
		connection.publish({ topic: "a", payload: "", qos });
	const all = Array.from({ length: 13 }, () => publish(1));
	await publish(0);
	const published = await Promise.all(all);
	t.ok(published.every((it) => it.is === "accepted"));
	t.strictSame(counts, [receiveMax]);
});

/** Whatever comes over the port: the peer is told or closed, and nothing is kept of it. */
import t, { type Test } from "tap";
import { until } from "../fixtures/eventually.js";
import { startWyoming } from "./running-wyoming.js";
import { frame, pcm, WyomingClient } from "./wyoming-client.js";

const { port, endpoint, lane } = await startWyoming(t);

const mebibyte = 1024 * 1024;
const line = (fields: object) => `${JSON.stringify(fields)}\n`;

/** @param code of the error that comes first; undefined: closed without a word. */
async function isClosed(
	t: Test,
	what: string,
	bytes: string | Uint8Array,
	code?: string,
): Promise<void> {
	const client = await WyomingClient.open(port);
	client.raw(bytes);
	await client.closed;
	t.same(
		client.events.map((it) => it.data.code),
		code ? [code] : [],
		what,
	);
}

t.test("what is no frame closes the connection", async (t) => {
	const cases: readonly [string, string | Uint8Array, string?][] = [
		["not JSON", "GET / HTTP/1.1\r\n\r\n"],
		["an empty line", "\n"],
		["a list", "[]\n"],
		["a number", "7\n"],
		["no type", "{}\n", "200003"],
		["a type that is no text", line({ type: 7 }), "200003"],
		["data that is a list", line({ type: "ping", data: [] })],
		["a long line", `{"type":"${"x".repeat(70_000)}`, "200003"],
		["nested data", line({ type: "ping", data: 1 })],
		...[-1, 1.5, "5", 1e9, mebibyte + 1, {}].flatMap(
			(length): [string, string, string][] => [
				[
					`data_length ${length}`,
					line({ type: "ping", data_length: length }),
					"200003",
				],
				[
					`payload_length ${length}`,
					line({ type: "audio-chunk", payload_length: length }),
					"200003",
				],
			],
		),
		["data that is not JSON", `${line({ type: "ping", data_length: 3 })}abc`],
		["data that is a list", `${line({ type: "ping", data_length: 2 })}[]`],
		[
			"much data that is not JSON",
			Buffer.concat([
				Buffer.from(line({ type: "ping", data_length: mebibyte })),
				Buffer.alloc(mebibyte, "["),
			]),
		],
	];
	for (const [what, bytes, code] of cases) await isClosed(t, what, bytes, code);
	await until(() => endpoint.stats.connectionsOpen === 0);
	t.equal(lane.opened.length, 0);
});

t.test(
	"frames cut anywhere, data in the line, null lengths and unknown types",
	async (t) => {
		const client = await WyomingClient.open(port);
		const all = Buffer.concat([
			frame("satellite-connected", { any: ["thing"] }, new Uint8Array(10)),
			Buffer.from(line({ type: "ping", data: { text: "a" } })),
			Buffer.from(
				line({ type: "ping", data: { text: "b" }, data_length: null }),
			),
			frame("ping", { text: "é日本" }),
			frame("audio-chunk", pcm, new Uint8Array(64)),
			frame("audio-stop"),
		]);
		client.socket.setNoDelay(true);
		for (const byte of all) {
			client.raw(Uint8Array.of(byte));
			await new Promise((turn) => setImmediate(turn));
		}
		await client.receive("transcript");
		t.same(
			client.events
				.filter((it) => it.type === "pong")
				.map((it) => it.data.text),
			["a", "b", "é日本"],
		);
		client.socket.destroy();
	},
);

t.test(
	"a mebibyte of data is read between other turns of the loop",
	async (t) => {
		const client = await WyomingClient.open(port);
		client.send("ping", { text: "x".repeat(mebibyte - 100) });
		const { data } = await client.receive("pong");
		t.equal(String(data.text).length, mebibyte - 100);
		client.socket.destroy();
	},
);

t.test(
	"networks that are not allowed are closed, and logged once",
	async (t) => {
		const closed = await startWyoming(t, { allow: ["10.0.0.0/8", "::1"] });
		for (let i = 0; i < 3; i++) {
			const client = await WyomingClient.open(closed.port);
			await client.closed;
		}
		t.equal(closed.endpoint.stats.refusals.get("not allowed"), 3);
		t.equal(closed.log.filter((it) => it.includes("wyoming.allow")).length, 1);
	},
);

t.test("an entry of allow that is no network", async (t) => {
	for (const entry of ["kitchen", "10.0.0.0/33", "10.0.0.0/8/8", "1.2.3", ""])
		await t.rejects(startWyoming(t, { allow: [entry] }), /allow must contain/);
});

t.test("a stop tells who is waiting, and closes who is idle", async (t) => {
	const stopping = await startWyoming(t);
	stopping.lane.behaviour = { holdResult: true };
	const idle = await WyomingClient.open(stopping.port);
	const speaking = await WyomingClient.open(stopping.port);
	const finishing = await WyomingClient.open(stopping.port);
	speaking.audio(64);
	await until(() => stopping.lane.opened.length === 1);
	finishing.audio(64);
	finishing.send("audio-stop");
	await until(() => stopping.lane.opened[1]?.finished === true);
	const stopped = stopping.endpoint.stop(20_000);
	await Promise.all([idle.closed, speaking.closed]);
	t.same(idle.types, []);
	t.equal(speaking.events[0]?.data.code, "100004");
	stopping.lane.opened[1]?.release();
	await Promise.all([finishing.closed, stopped]);
	t.ok(finishing.types.includes("transcript"));
});

import { once } from "node:events";
import type { Socket } from "node:net";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { until } from "../fixtures/eventually.js";
import { turnMsMax } from "../hostile/loop-probe.js";
import { LoopWatch } from "../hostile/loop-watch.js";
import { readSocket } from "./read-socket.js";
import { type RunningApi, startApi } from "./running-api.js";

const megabyte = 1024 * 1024;
/** This much at once counts as fast, even while this machine is busy for some seconds (kept-body.ts). */
const slotBytes = 2 * megabyte;

/** As a piece of a chunked body. */
const chunk = Buffer.concat([
	Buffer.from("100000\r\n"),
	Buffer.alloc(megabyte),
	Buffer.from("\r\n"),
]);
const tooLong =
	/^HTTP\/1\.1 413 .*Connection: close.*"status":"200004","message":"body must be at most 4194304 bytes, got more"/s;

function head(
	api: RunningApi,
	length: number | "chunked",
	query = "lang_type=en",
): string {
	const framing =
		length === "chunked"
			? "Transfer-Encoding: chunked"
			: `Content-Length: ${length}`;
	return `POST /v1/asr/api?${query} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${api.token}\r\n${framing}\r\n\r\n`;
}

/** Writes as fast as possible, until `count` chunks are sent, the other side ends the connection, or there is an answer. */
async function pour(
	socket: Socket,
	chunk: Buffer,
	count: number,
	answer?: Promise<string>,
): Promise<void> {
	let isAnswered = false;
	void answer?.then(() => {
		isAnswered = true;
	});
	for (let sent = 0; sent < count && !socket.destroyed; sent++) {
		if (isAnswered) return;
		if (socket.write(chunk)) continue;
		const listening = new AbortController();
		const { signal } = listening;
		await Promise.race([
			...["drain", "close"].map((it) => once(socket, it, { signal })),
			...(answer ? [answer] : []),
		]).catch(() => {});
		listening.abort();
	}
}

t.test(
	"an empty body gives 200007, declared or chunked, and takes no slot",
	async (t) => {
		const api = await startApi(t);
		t.match(await api.recognize("lang_type=en", { body: new Uint8Array(0) }), {
			http: 400,
			status: "200007",
		});
		const socket = api.socket();
		socket.write(`${head(api, "chunked")}0\r\n\r\n`);
		t.match(await readSocket(socket, /\}$/), /"status":"200007"/);
		socket.destroy();
		t.equal(api.lane.opened.length, 0);
	},
);

t.test(
	"a form in place of the audio is refused and takes no slot",
	async (t) => {
		const api = await startApi(t);
		const body = new FormData();
		body.append("file", new Blob([new Uint8Array(3200)]), "speech.pcm");
		t.match(await api.recognize("lang_type=en", { body }), {
			http: 415,
			status: "200006",
			message: /^body must be the audio itself, not multipart\/form-data$/,
		});
		t.equal(api.lane.opened.length, 0);
	},
);

t.test(
	"audio with the type of a form, but no boundary, is audio",
	async (t) => {
		const api = await startApi(t);
		const headers = { "Content-Type": "multipart/form-data" };
		const body = new Uint8Array(3200);
		t.match(await api.recognize("lang_type=en", { body, headers }), {
			http: 200,
			data: { result: "heard 3200 bytes" },
		});
	},
);

t.test("the whole body reaches the lane, however it is cut", async (t) => {
	const api = await startApi(t);
	const socket = api.socket();
	socket.write(head(api, "chunked"));
	let sent = 0;
	for (const size of [1, 7, 4096, 65_536, 3]) {
		socket.write(`${size.toString(16)}\r\n${"x".repeat(size)}\r\n`);
		sent += size;
	}
	socket.write("0\r\n\r\n");
	t.match(await readSocket(socket, /\}$/), `heard ${sent} bytes`);
	socket.destroy();
	const large = await api.recognize("lang_type=en", {
		body: new Uint8Array(9 * megabyte),
	});
	t.match(large.data, { result: `heard ${9 * megabyte} bytes` });
});

t.test(
	"2 GiB are refused before they are sent, without taking a slot",
	async (t) => {
		const api = await startApi(t);
		const silent = api.socket();
		silent.write(head(api, 2 ** 31));
		t.match(
			await readSocket(silent, /\}\r\n$/),
			/^HTTP\/1\.1 413 .*"status":"200004","message":"body must be at most \d+ bytes, got 2147483648"/s,
		);
		t.equal(api.lane.opened.length, 0);
	},
);

t.test(
	"a client that keeps sending after a refusal still reads it, and memory stays flat",
	async (t) => {
		const api = await startApi(t);
		const before = process.memoryUsage().rss;
		for (let round = 0; round < 3; round++) {
			const socket = api.socket();
			const answer = readSocket(socket, /\}\r\n$/);
			socket.write(head(api, 2 ** 31));
			await pour(socket, Buffer.alloc(megabyte), 60);
			t.match(await answer, /^HTTP\/1\.1 413 /);
			socket.destroy();
		}
		const grownMegabytes = (process.memoryUsage().rss - before) / megabyte;
		t.ok(grownMegabytes < 80, `grew by ${grownMegabytes.toFixed(0)} MiB`);
		t.match(await api.recognize("lang_type=en"), { http: 200 });
	},
);

t.test(
	"an endless chunked body is refused at the limit, and memory stays flat",
	async (t) => {
		const api = await startApi(t, {
			limits: { audio_body_bytes_max: 4 * megabyte },
		});
		const before = process.memoryUsage().rss;
		const socket = api.socket();
		const answer = readSocket(socket, /\}\r\n$/);
		socket.write(head(api, "chunked"));
		await pour(socket, chunk, 400, answer);
		t.match(await answer, tooLong);
		socket.destroy();
		t.ok(api.lane.last.bytes <= 4 * megabyte);
		await api.lane.last.cancelled;
		const grownMegabytes = (process.memoryUsage().rss - before) / megabyte;
		t.ok(grownMegabytes < 80, `grew by ${grownMegabytes.toFixed(0)} MiB`);
	},
);

t.test(
	"a chunked body over the limit is answered to a client that reads only after it has sent all of it",
	async (t) => {
		const api = await startApi(t, {
			limits: { audio_body_bytes_max: 4 * megabyte },
		});
		const socket = api.socket();
		socket.pause();
		socket.write(head(api, "chunked"));
		await pour(socket, chunk, 30);
		await until(() => socket.writableLength === 0);
		// without the last chunk: a body that was complete before the answer leaves the connection in use
		const closed = once(socket, "close");
		const answer = readSocket(socket, /\}\r\n$/);
		socket.resume();
		t.match(await answer, tooLong);
		socket.write("0\r\n\r\n");
		await closed;
	},
);

t.test(
	"a client that neither reads nor ends after a refusal is disconnected",
	async (t) => {
		const api = await startApi(t, {
			limits: { audio_body_bytes_max: megabyte },
		});
		const socket = api.socket();
		socket.write(head(api, "chunked"));
		await pour(socket, chunk, 2);
		t.match(await readSocket(socket), /^HTTP\/1\.1 413 .*\}\r\n$/s);
		const deaf = api.socket();
		deaf.pause();
		const before = process.memoryUsage().rss;
		deaf.write(head(api, "chunked"));
		await pour(deaf, chunk, 400);
		t.ok(deaf.destroyed, "in the middle of its body");
		const grownMegabytes = (process.memoryUsage().rss - before) / megabyte;
		t.ok(grownMegabytes < 80, `grew by ${grownMegabytes.toFixed(0)} MiB`);
	},
);

t.test(
	"after a refused body of modest size the connection stays in use",
	async (t) => {
		const api = await startApi(t, {
			limits: { audio_body_bytes_max: megabyte },
		});
		const socket = api.socket();
		socket.write(head(api, 3 * megabyte));
		await pour(socket, Buffer.alloc(megabyte), 3);
		t.match(await readSocket(socket, /\}$/), /"status":"200004"/);
		socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
		t.match(await readSocket(socket, /\}$/), /"ready":true/);
		socket.destroy();
	},
);

t.test("a slow upload holds no slot before it is complete", async (t) => {
	const api = await startApi(t);
	const slow = api.socket();
	slow.write(head(api, 2000));
	slow.write(Buffer.alloc(1000));
	t.match(await api.recognize("lang_type=en"), { http: 200 });
	t.equal(api.lane.opened.length, 1, "only the whole one was given a slot");
	slow.write(Buffer.alloc(1000));
	t.match(await readSocket(slow, /\}$/), /"result":"heard 2000 bytes"/);
	slow.destroy();
});

t.test("a client that disconnects mid-body cancels its work", async (t) => {
	const api = await startApi(t);
	const socket = api.socket();
	socket.write(head(api, slotBytes + megabyte));
	socket.write(Buffer.alloc(slotBytes));
	await until(() => api.lane.opened.length === 1);
	socket.destroy();
	await api.lane.last.cancelled;
	await until(() =>
		api.log.some((line) => line.includes("client disconnected")),
	);
	t.match(
		await api.recognize("lang_type=en"),
		{ http: 200 },
		"the next request works",
	);
});

t.test(
	"a client that disconnects before its result cancels its work",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { holdResult: true };
		const socket = api.socket();
		socket.write(head(api, 1000));
		socket.write(Buffer.alloc(1000));
		await until(() => api.lane.opened.length === 1 && api.lane.last.finished);
		socket.destroy();
		await api.lane.last.cancelled;
	},
);

t.test("a lane that is behind holds the client back", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = { stallTurns: -1 };
	const socket = api.socket();
	socket.write(head(api, 30 * megabyte));
	const chunk = Buffer.alloc(megabyte);
	for (let out = 0; out < 30; out++) socket.write(chunk);
	await until(() => api.lane.opened.length === 1);
	// the kernel and our own bounded buffer hold far less than the body, however long other requests are answered meanwhile
	for (let sent = 0; sent < 50; sent++) await api.ask("/healthz");
	t.ok(
		api.lane.last.bytes < 2 * megabyte,
		`${api.lane.last.bytes} bytes reached the lane`,
	);
	t.ok(socket.writableLength > 0, `${socket.writableLength} bytes wait`);
	socket.destroy();
});

t.test("a slow lane still gets every byte", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = { stallTurns: 20 };
	const answer = await api.recognize("lang_type=en", {
		body: new Uint8Array(8 * megabyte),
	});
	t.match(answer.data, { result: `heard ${8 * megabyte} bytes` });
});

for (const [status, http] of [
	["200005", 400],
	["200006", 415],
	["230004", 500],
] as const) {
	t.test(
		`a recognition that fails mid-body with ${status} is answered at once`,
		async (t) => {
			const api = await startApi(t);
			api.lane.behaviour = { failAfterBytes: 1, failWith: status };
			const socket = api.socket();
			socket.write(head(api, 20 * megabyte));
			socket.write(Buffer.alloc(slotBytes));
			t.match(
				await readSocket(socket, /\}$/),
				new RegExp(`^HTTP/1.1 ${http} .*"status":"${status}"`, "s"),
			);
			socket.destroy();
			await api.lane.last.cancelled;
		},
	);
}

t.test(
	"a recognition that ends before its audio is answered at once",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { completeAfterBytes: 1000 };
		const socket = api.socket();
		socket.write(head(api, slotBytes + megabyte));
		socket.write(Buffer.alloc(slotBytes));
		t.match(await readSocket(socket, /\}$/), /"status":"000000"/);
		socket.destroy();
	},
);

t.test(
	"audio past its duration is refused, not answered in part",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { completeAfterBytes: 1000, why: "duration" };
		t.match(await api.recognize("lang_type=en&duration=90"), {
			http: 400,
			status: "200005",
			message:
				"audio must be at most 90 seconds long (duration), this is longer",
			data: null,
		});
	},
);

t.test("at capacity: 503, 100004 and Retry-After", async (t) => {
	const api = await startApi(t);
	api.lane.behaviour = {
		refuse: new CodedError("100004", undefined, { retryAfterSeconds: 2.2 }),
	};
	const answer = await api.recognize("lang_type=en");
	t.match(answer, { http: 503, status: "100004" });
	t.equal(answer.headers.get("retry-after"), "3");
});

t.test("token and options are checked before the body", async (t) => {
	const api = await startApi(t);
	for (const [query, status] of [
		["lang_type=xx", "200008"],
		["", "200001"],
	] as const) {
		const socket = api.socket();
		socket.write(head(api, 1000, query));
		t.match(
			await readSocket(socket, /\}$/),
			new RegExp(`"status":"${status}"`),
		);
		socket.destroy();
	}
});

t.test(
	"a fast body that stalls gives its slot back, and is recognized from the beginning",
	async (t) => {
		const api = await startApi(t);
		api.lane.behaviour = { keepBytes: true };
		const socket = api.socket();
		t.teardown(() => socket.destroy());
		const audio = Buffer.alloc(3 * megabyte, "earshot");
		socket.write(head(api, audio.length));
		socket.write(audio.subarray(0, 2.5 * megabyte));
		await until(() => api.lane.opened.length === 1);
		await api.lane.last.cancelled;
		t.equal(api.lane.held, 0);
		t.match(await api.recognize("lang_type=en"), { http: 200 });
		socket.write(audio.subarray(2.5 * megabyte));
		t.match(await readSocket(socket, /\}$/), `heard ${audio.length} bytes`);
		t.ok(Buffer.concat(api.lane.last.chunks).equals(audio));
		t.same(await api.shelf.ids(), []);
	},
);

/** What costs the most memory for its text. */
const listsOf = (bytes: number) =>
	`{"name":"a","lang_type":"en","words":[${"[[[0]]],".repeat(bytes / 8)}0]}`;
/** What costs the most time for its length. */
const parts = Array.from(
	{ length: 900 },
	(_, i) => `--b\r\nContent-Disposition: form-data; name="${i}"\r\n\r\n\r\n`,
);
const json = "application/json";
for (const [what, count, type, body, status] of [
	["short bodies of JSON", 100, json, listsOf(16_000), "210400"],
	["longer bodies of JSON", 80, json, listsOf(200_000), "210400"],
	[
		"forms",
		40,
		"multipart/form-data; boundary=b",
		`${parts.join("")}--b--\r\n`,
		"200001",
	],
] as const)
	t.test(`${count} ${what} at once hold nobody`, async (t) => {
		const auth = { rate_per_second: 10_000, rate_burst: 10_000 };
		const api = await startApi(t, { auth });
		const token = await api.makeToken(["hotwords"]);
		const head = `POST /v1/hotwords HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
		// forms are read as they come, JSON when it is complete
		const first = type === json ? head + body.slice(0, -1) : head;
		const rest = type === json ? body.slice(-1) : body;
		const watch = new LoopWatch();
		let leastMs = Number.POSITIVE_INFINITY;
		// a collection of garbage does not hold it each time
		for (let attempt = 0; attempt < 4 && leastMs > turnMsMax; attempt++) {
			const sockets = Array.from({ length: count }, () => api.socket());
			await Promise.all(
				sockets.map((it) => new Promise((sent) => it.write(first, sent))),
			);
			await api.ask("/healthz"); // they have arrived
			const answers = sockets.map((it) => readSocket(it, /\}$/));
			watch.take();
			for (const socket of sockets) socket.write(rest);
			const others = (await Promise.all(answers)).filter(
				(it) => !it.includes(`"status":"${status}"`),
			);
			t.same(others, [], "all say what is wrong");
			leastMs = Math.min(leastMs, watch.take());
			for (const socket of sockets) socket.destroy();
		}
		t.ok(leastMs <= turnMsMax, `held for ${leastMs.toFixed(1)} ms`);
	});

import { createHmac } from "node:crypto";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import t, { type Test } from "tap";
import { nextTrySeconds } from "../../runtime/tasks/back-off.js";
import { callbackBody } from "../../runtime/tasks/callback-body.js";
import type { ResultSegment } from "../../runtime/tasks/result/result.js";
import { eventually } from "../fixtures/eventually.js";
import { patient, receiver, runningTasks } from "./running-tasks.js";

type Running = Awaited<ReturnType<typeof runningTasks>>;

/**
 * The clock is advanced until there were this many calls. A row is read once per check: a second read could see a later write, and the clock would run ahead of
 * it.
 */
async function untilTries(running: Running, id: string, count: number) {
	const check = () => {
		const row = running.store.outbox.find(id);
		if (row && row.tries.length >= count) return row.tries;
		if (row) running.clock.seconds = row.dueSeconds;
		running.callbacks.onTaskChanged(id);
		return undefined;
	};
	return eventually(`${count} tries`, check, {
		seen: () => running.store.outbox.find(id),
	});
}

async function untilState(running: Running, id: string, state: string) {
	const find = () => running.store.outbox.find(id);
	await eventually(
		`a callback that is ${state}`,
		() => find()?.state === state,
		{
			seen: find,
		},
	);
	return find();
}

t.test("a completed task sends a signed callback", async (t) => {
	const { url, count } = await receiver(t);
	const running = await runningTasks(t, { secret: "S" });
	const id = await running.submit(["one", "two"], { callbackUrl: url });
	const [call] = await count(1);
	const hmac = createHmac("sha256", "S").update(call?.body ?? "");
	t.match(call?.headers, {
		"content-type": "application/json; charset=utf-8",
		"content-length": String(call?.body.length),
		"x-earshot-signature": `sha256=${hmac.digest("hex")}`,
	});
	const body = JSON.parse(call?.body ?? "");
	t.strictSame(Object.keys(body), ["status", "message", "data"]);
	t.match(body, {
		status: "000000",
		message: "success",
		data: { task_id: id, statistics: { word_count: Number } },
	});
	const segments = [...(running.tasks.result(id)?.segments() ?? [])];
	t.strictSame(body.data.result, segments);
	t.strictSame(body.data.statistics, running.tasks.result(id)?.statistics);
	const row = await untilState(running, id, "delivered");
	t.match(row?.tries, [{ http: 200, tookMs: Number, atSeconds: Number }]);
	// the row is visible a moment before its writer is notified
	await eventually("none to wait", () => running.callbacks.waiting === 0);
});

t.test("a long transcript gets the time that it takes", async (t) => {
	const seen: { bytes: number; secondsMax: number }[] = [];
	const { submit } = await runningTasks(t, {
		transport: {
			send: async (_url, { headers, limits: { secondsMax } }) => {
				seen.push({ bytes: Number(headers["Content-Length"]), secondsMax });
				return { status: 200, close: () => {} };
			},
		},
	});
	await submit(["short"], { callbackUrl: "http://a.example/" });
	await submit(["long ".repeat(20_000)], { callbackUrl: "http://b.example/" });
	await eventually("both callbacks", () => seen.length === 2);
	for (const { bytes, secondsMax } of seen)
		t.equal(secondsMax, 20 + Math.ceil(bytes / (16 * 1024)));
	t.ok(seen.some(({ bytes }) => bytes > 100_000));
});

t.test(
	"what is corrected during a callback changes nothing of it",
	async (t) => {
		const corrections: (string | null)[][] = [
			["longer than it was", null],
			[null, "two"],
			["uno", "due"],
		];
		const bodies: string[] = [];
		const running = await runningTasks(t, {
			secret: "S",
			transport: {
				// the body is signed by now, and not sent yet
				send: async (_url, { headers, body }) => {
					await correct(corrections.shift() ?? []);
					let sent = "";
					for await (const piece of body) sent += piece;
					const hmac = createHmac("sha256", "S").update(sent).digest("hex");
					t.equal(Buffer.byteLength(sent), Number(headers["Content-Length"]));
					t.equal(headers["X-Earshot-Signature"], `sha256=${hmac}`);
					bodies.push(sent);
					return {
						status: corrections.length > 0 ? 500 : 200,
						close: () => {},
					};
				},
			},
		});
		const correct = (texts: readonly (string | null)[]) =>
			running.tasks.edit(id, {
				speakers: { 1: texts.join(" ") },
				segments: texts.map((transcript, i) => ({
					seg_num: i + 1,
					transcript,
				})),
			});
		const id = await running.submit(["eins", "zwei"], {
			callbackUrl: "http://any/",
			clusters: 1,
		});
		await running.finished(id);
		await untilTries(running, id, 3);
		t.same(
			bodies.map((it) =>
				JSON.parse(it).data.result.map((segment: ResultSegment) => [
					segment.transcript,
					segment.original,
					segment.speaker,
				]),
			),
			[
				[
					["eins.", undefined, undefined],
					["zwei.", undefined, undefined],
				],
				[
					["longer than it was", "eins.", "longer than it was"],
					["zwei.", undefined, "longer than it was"],
				],
				[
					["eins.", undefined, "two"],
					["two", "zwei.", "two"],
				],
			],
		);
	},
);

t.test("a failed task sends a callback with its reason", async (t) => {
	const { url, count } = await receiver(t);
	const { submit } = await runningTasks(t);
	const id = await submit(['fail 200006 "not" audio'], { callbackUrl: url });
	const [call] = await count(1);
	t.equal(call?.headers["x-earshot-signature"], undefined, "no secret");
	t.match(JSON.parse(call?.body ?? ""), {
		status: "220500",
		message: '"not" audio',
		data: { task_id: id, result: [], statistics: { word_count: 0 } },
	});
});

t.test("a failing receiver is tried again with growing delays", async (t) => {
	const { url } = await receiver(t, [500, 404, 302, 200]);
	const running = await runningTasks(t);
	const id = await running.submit(["one"], { callbackUrl: url });
	await running.finished(id);
	const tries = await untilTries(running, id, 4);
	t.match(
		tries.map((it) => it.http),
		[500, 404, 302, 200],
		"a redirect is an answer like any other",
	);
	t.match(tries[0]?.why, /500/);
	const pauses = tries.map((it, i) =>
		i === 0 ? 0 : it.atSeconds - (tries[i - 1]?.atSeconds ?? 0),
	);
	t.ok((pauses[2] ?? 0) > 3 * (pauses[1] ?? 0), `${pauses}`);
	t.match(await untilState(running, id, "delivered"), { state: "delivered" });
	t.equal(
		running.tasks.find(id)?.state,
		"completed",
		"whatever the callback does",
	);
});

t.test("a restart between two tries loses none", async (t) => {
	const { url, count, received } = await receiver(t, [500, 200]);
	const first = await runningTasks(t);
	const id = await first.submit(["one"], { callbackUrl: url });
	await untilTries(first, id, 1);
	const due = first.store.outbox.find(id)?.dueSeconds ?? 0;
	await first.close();
	t.equal(received.length, 1);
	const second = await runningTasks(t, { dir: first.dir });
	t.equal(second.callbacks.waiting, 1);
	t.ok(due > second.clock.seconds, "not before it is due");
	await untilTries(second, id, 2);
	await count(2);
	t.match(await untilState(second, id, "delivered"), { tries: { length: 2 } });
});

t.test("addresses that are not allowed are not called", async (t) => {
	const running = await runningTasks(t);
	const id = await running.submit(["one"], {
		callbackUrl: "http://169.254.169.254/latest",
	});
	const [made] = await untilTries(running, id, 1);
	t.match(made?.why, /not allowed/);
	t.equal(made?.http, undefined);
});

async function silentServer(t: Test) {
	const server = createServer((socket) => socket.on("error", () => {}));
	const called = once(server, "connection");
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	t.teardown(() => server.close());
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}/`, called };
}

t.test("a try is aborted at a stop, and repeated after it", async (t) => {
	const { url, called } = await silentServer(t);
	const first = await runningTasks(t, { transport: patient });
	const id = await first.submit(["one"], { callbackUrl: url });
	await first.finished(id);
	await called;
	await first.callbacks.stop(); // which would be in an hour, if it waited for the answer
	await first.close();
	const second = await runningTasks(t, { dir: first.dir });
	const { state, tries } = second.store.outbox.find(id) ?? {};
	t.same([state, tries], ["waiting", []]);
});

t.test("removed with its task", async (t) => {
	const { url, received } = await receiver(t, [500]);
	const running = await runningTasks(t);
	const id = await running.submit(["one"], { callbackUrl: url });
	await untilTries(running, id, 1);
	await running.tasks.remove(id);
	t.equal(running.callbacks.waiting, 0, "counted no longer");
	running.clock.seconds += 100;
	running.callbacks.onTaskChanged(id);
	t.equal(running.store.outbox.find(id), undefined);
	t.equal(received.length, 1);
});

t.test("removed during a try: it does not come back", async (t) => {
	const removals: Promise<unknown>[] = [];
	const running = await runningTasks(t, {
		transport: {
			// the answer arrives before the removal is on the disk
			send: async () => {
				removals.push(running.tasks.remove(id));
				return { status: 500, close: () => {} };
			},
		},
	});
	const id = await running.submit(["one"], { callbackUrl: "http://any/" });
	await eventually("its removal", () => removals.length > 0);
	await Promise.all(removals);
	t.equal(running.tasks.find(id), undefined);
	const { outbox } = running.store;
	await eventually("none to wait", () => running.callbacks.waiting === 0);
	t.equal(outbox.find(id), undefined);
});

t.test("eight tries at least, over a day at least", async (t) => {
	for (const random of [0, 0.5, 1]) {
		let seconds = 0;
		let tries = 1;
		for (;;) {
			const pause = nextTrySeconds(tries, seconds, random);
			if (pause === undefined) break;
			t.ok(pause > 10 && pause < 7 * 3600);
			seconds += pause;
			tries++;
		}
		t.ok(tries >= 8, `${tries} tries`);
		t.ok(seconds >= 24 * 3600, `over ${seconds / 3600} hours`);
		t.ok(seconds < 31 * 3600);
	}
	t.type(
		nextTrySeconds(3, 48 * 3600, 0),
		"number",
		"a device that was off for two days still tries eight times",
	);
});

t.test("hours of words do not block the event loop", async (t) => {
	const segment: ResultSegment = {
		begin: "00:00:00,000",
		end: "00:00:01,000",
		seg_num: 1,
		transcript: "words and more words",
		confidence: 0.5,
		paragraph: 1,
		words: Array(20).fill({
			word: "words",
			start_time: 1,
			end_time: 2,
			type: "normal",
			is_punc: false,
		}),
	};
	const result = {
		*segments() {
			for (let i = 0; i < 10_000; i++) yield segment;
		},
		statistics: {
			speed: 1,
			word_count: 1,
			insert_time: "",
			process_time: "",
			finish_time: "",
		},
	};
	let turns = 0;
	const timer = setInterval(() => turns++, 0);
	const notes = ["not transcribed: 00:00:02,000 to 00:00:03,000"];
	const view = { state: "completed", id: "x", notes } as never;
	let whole = "";
	for await (const piece of callbackBody(view, result, String)) whole += piece;
	clearInterval(timer);
	const { message, data } = JSON.parse(whole);
	t.equal(data.result.length, 10_000);
	t.equal(message, `success; ${notes[0]}`, "what polling says as well");
	t.ok(turns > 20, `${turns} turns`);
});

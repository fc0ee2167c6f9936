/** Messages of one socket: in order, the lone one at once, and many of them in slices. */
import { setImmediate as nextTurn } from "node:timers/promises";
import t from "tap";
import { type Arrived, Inbox } from "../../runtime/api/feed/inbox.js";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import { until } from "../fixtures/eventually.js";

function inbox(handle: (message: Arrived) => Promise<void> | undefined) {
	const told: string[] = [];
	const it = new Inbox({
		handle,
		refuse: ({ status }) => told.push(status),
		socket: {
			hold: () => told.push("hold"),
			release: () => told.push("release"),
		},
	});
	return Object.assign(it, { told });
}

/** Longer than a slice: the next message has to wait. */
function busy(): void {
	const untilMs = performance.now() + 5;
	while (performance.now() < untilMs);
}

t.test("a message that comes alone is handled in the same turn", async (t) => {
	const handled: Arrived[] = [];
	const it = inbox((message) => void handled.push(message));
	for (const message of ["one", Buffer.of(2), ""]) {
		it.accept(message);
		t.equal(handled.at(-1), message, "and not copied");
		await nextTurn();
	}
	let isBehind = false;
	it.behind(() => {
		isBehind = true;
	});
	t.ok(isBehind);
	t.same(it.told, []);
});

t.test("what has to wait is copied, in order, and held back", async (t) => {
	const handled: string[] = [];
	const it = inbox((message) => {
		handled.push(String(message));
		busy();
	});
	const bytes = Uint8Array.of(1, 2);
	it.accept("first");
	it.accept(bytes);
	it.accept("");
	it.behind(() => handled.push("behind"));
	it.accept("last");
	bytes.fill(9); // the library takes them back
	t.same(handled, ["first"]);
	t.same(it.told, ["hold"]);
	await until(() => it.told.includes("release"));
	t.same(handled, ["first", "1,2", "", "behind", "last"]);
	t.same(it.told, ["hold", "release"]);
	it.accept("later");
	await until(() => handled.includes("later"));
});

t.test(
	"binary messages that wait are joined, but not empty ones",
	async (t) => {
		const handled: string[] = [];
		const it = inbox((message) => {
			handled.push(String(message));
			busy();
		});
		it.accept("first");
		for (const message of [1, 2, 0, 3, "text", 4])
			it.accept(
				typeof message === "string"
					? message
					: new Uint8Array(message && 1).fill(message),
			);
		await until(() => it.told.includes("release"));
		t.same(handled, ["first", "1,2", "", "3", "text", "4"]);
		for (let round = 0; round < 2; round++) {
			handled.length = 0;
			it.told.length = 0;
			for (let i = 0; i < 20_001; i++) it.accept(Uint8Array.of(5));
			await until(() => it.told.includes("release"));
			t.same(it.told, ["hold", "release"], "what was handled does not count");
			const units = handled.reduce((sum, it) => sum + it.length, 0);
			t.equal(units, 2 * 20_001 - handled.length, "with commas between");
			await nextTurn();
			await nextTurn();
		}
	},
);

t.test("the next one waits for one that takes longer", async (t) => {
	const handled: string[] = [];
	const parsed = new Deferred<void>();
	const it = inbox((message) => {
		handled.push(String(message));
		return message === "long" ? parsed.promise : undefined;
	});
	it.accept("long");
	it.accept("next");
	await nextTurn();
	t.same(handled, ["long"]);
	parsed.resolve();
	await until(() => handled.includes("next"));
	t.same(it.told, ["hold", "release"]);
});

t.test("closed, it drops messages and nothing else", async (t) => {
	const handled: string[] = [];
	const it = inbox((message) => {
		handled.push(String(message));
		busy();
	});
	it.accept("first");
	it.accept("dropped");
	it.close();
	it.accept("dropped, too");
	it.behind(() => handled.push("behind"));
	await until(() => it.told.includes("release"));
	t.same(handled, ["first", "behind"]);
});

t.test("more than twenty thousand that wait are refused", async (t) => {
	let handled = 0;
	const it = inbox(() => {
		handled++;
		busy();
	});
	for (let i = 0; i < 20_001; i++) it.accept(i % 2 ? "x" : Uint8Array.of(1));
	t.same(it.told, ["hold"]);
	for (let i = 0; i < 5; i++) it.accept("x");
	t.same(it.told, ["hold", "230001"]);
	await until(() => it.told.includes("release"));
	t.equal(handled, 1);
});

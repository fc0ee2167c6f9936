/** Long work of many callers: together it has no more of a turn of the event loop than that of one (docs/security.md). */
import t from "tap";
import type { Piecewise } from "../../runtime/event-loop/piecewise.js";
import { finishInSlices, inSlices } from "../../runtime/event-loop/slices.js";
import { turnMsMax } from "../hostile/loop-probe.js";
import { LoopWatch } from "../hostile/loop-watch.js";

const long = 1e6;
const short = 1000;

function burn(ms: number): void {
	const untilMs = performance.now() + ms;
	while (performance.now() < untilMs);
}

/** Each piece takes a millisecond. */
function* working(
	pieces: number,
	onPiece: () => void = () => {},
): Piecewise<number> {
	for (let piece = 0; piece < pieces; piece++) {
		burn(1);
		onPiece();
		yield;
	}
	return pieces;
}

t.test("many callers share a slice of a turn", async (t) => {
	const watch = new LoopWatch();
	const items = Array.from({ length: 40 }, (_, i) => i);
	const made = Promise.all([
		...items.map(() => finishInSlices(working(4))),
		...items.map(() => finishInSlices(working(4), { units: short })),
		...items.map(() => inSlices(items.slice(0, 16), () => burn(0.2))),
	]);
	t.same(new Set(await made), new Set([4, undefined]));
	const turnMs = watch.take();
	t.ok(turnMs <= turnMsMax, `held for ${turnMs.toFixed(1)} ms`);
});

t.test("what their callers do with it has its own turns", async (t) => {
	const watch = new LoopWatch();
	const callers = Array.from({ length: 25 }, async () => {
		await finishInSlices(working(1), { units: short });
		burn(3);
	});
	await Promise.all(callers);
	const turnMs = watch.take();
	t.ok(turnMs <= turnMsMax, `held for ${turnMs.toFixed(1)} ms`);
});

t.test("work begins at once where nothing waits", async (t) => {
	await new Promise((turn) => setImmediate(turn)); // with a turn of its own
	let hasBegun = false;
	const work = finishInSlices(
		working(1, () => {
			hasBegun = true;
		}),
	);
	t.ok(hasBegun);
	t.equal(await work, 1);
});

t.test("at most two are begun and not finished", async (t) => {
	const begun = new Set<number>();
	let most = 0;
	const sizes = Array.from({ length: 20 }, (_, i) => (i % 2 ? long : 60_000));
	await Promise.all(
		sizes.map(async (units, i) => {
			const onPiece = () => {
				begun.add(i);
				most = Math.max(most, begun.size);
			};
			// the later one is shorter
			const facts = { units: units - i };
			await finishInSlices(working(8, onPiece), facts);
			begun.delete(i);
		}),
	);
	t.ok(most <= 2, `${most} are`);
});

t.test(
	"short work does not wait for long work, nor the first for what comes later",
	async (t) => {
		const order: string[] = [];
		const run = async (name: string, pieces: number, units?: number) => {
			await finishInSlices(working(pieces), units ? { units } : {});
			order.push(name);
		};
		const all = [
			run("first", 14, long),
			...Array.from({ length: 3 }, () => run("later", 10, long)),
			run("unknown", 10),
			run("short", 2, short),
			...Array.from({ length: 60 }, () => run("other", 2, short)),
		];
		await Promise.all(all);
		t.equal(order[0], "short");
		const firstAt = order.indexOf("first");
		t.ok(firstAt < 40, `the first is done behind ${firstAt} others`);
		t.ok(order.indexOf("unknown") > order.lastIndexOf("later"));
	},
);

t.test("what nobody waits for leaves the queue", async (t) => {
	const leaving = new AbortController();
	let pieces = 0;
	const before = finishInSlices(working(8), { units: short });
	const left = finishInSlices(
		working(8, () => {
			pieces++;
		}),
		{ units: long, signal: leaving.signal },
	);
	const behind = finishInSlices(working(5), { units: long });
	leaving.abort(new Error("gone"));
	await t.rejects(left, { message: "gone" });
	t.same(await Promise.all([before, behind]), [8, 5]);
	t.equal(pieces, 0);
	const { signal } = leaving;
	const late = finishInSlices(working(8), { signal });
	await t.rejects(late, { message: "gone" });
});

t.test("an error is its caller's only", async (t) => {
	function* failing(): Piecewise<number> {
		yield* working(5);
		throw new Error("broken");
	}
	const good = () => finishInSlices(working(7), { units: short });
	const all = await Promise.allSettled([
		good(),
		finishInSlices(failing(), { units: short }),
		good(),
	]);
	t.match(all, [
		{ value: 7 },
		{ status: "rejected", reason: { message: "broken" } },
		{ value: 7 },
	]);
});

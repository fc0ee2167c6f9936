/** Windows over regions, their samples from a stream in any pieces, and turns that cover the regions. */
import t from "tap";
import { turnsOf } from "../../runtime/speakers/turns.js";
import { WindowCutter } from "../../runtime/speakers/window-cutter.js";
import { soundRegions, windowsOf } from "../../runtime/speakers/windows.js";
import { shape } from "./made-voices.js";

const windows = (...regions: [number, number][]) =>
	windowsOf(
		regions.map(([startMs, endMs]) => ({ startMs, endMs })),
		shape,
	).map((it) => [it.region, it.startSample / 16, it.endSample / 16]);

t.test(
	"a long region has a window every 0.8 s, the last one aligned to its end",
	async (t) => {
		t.same(windows([1000, 5000]), [
			[0, 1000, 2600],
			[0, 1800, 3400],
			[0, 2600, 4200],
			[0, 3400, 5000],
		]);
		t.same(windows([1000, 3500]), [
			[0, 1000, 2600],
			[0, 1800, 3400],
			[0, 1900, 3500],
		]);
	},
);

t.test(
	"a short region is one window, extended where it is too short",
	async (t) => {
		t.same(windows([1000, 2600]), [[0, 1000, 2600]]);
		t.same(windows([1000, 1500], [2000, 2100]), [
			[0, 1000, 1500],
			[1, 1850, 2250],
		]);
		t.same(
			windows([0, 100]),
			[[0, 0, 400]],
			"there is nothing before the start",
		);
	},
);

t.test(
	"regions that are out of order, overlapping, empty or invalid",
	async (t) => {
		const sound = soundRegions([
			{ startMs: 5000, endMs: 6000 },
			{ startMs: -300, endMs: 1000 },
			{ startMs: 900, endMs: 2000 },
			{ startMs: 1200, endMs: 1500 },
			{ startMs: 3000, endMs: 3000 },
			{ startMs: 4000, endMs: 3500 },
			{ startMs: Number.NaN, endMs: 4000 },
		]);
		t.same(sound, [
			{ startMs: 0, endMs: 1000 },
			{ startMs: 1000, endMs: 2000 },
			{ startMs: 5000, endMs: 6000 },
		]);
	},
);

t.test("any split of the stream gives the same windows", async (t) => {
	const stream = Float32Array.from({ length: 16 * 9000 }, (_, i) => i);
	const wanted = windowsOf(
		[
			{ startMs: 0, endMs: 50 },
			{ startMs: 60, endMs: 3000 },
			{ startMs: 3100, endMs: 3150 },
			{ startMs: 5000, endMs: 8700 },
			{ startMs: 8990, endMs: 9500 }, // past the end
		],
		shape,
	);
	for (const piece of [1000, 25_600, 7, 16 * 9000]) {
		const cutter = new WindowCutter(wanted);
		const cut = [];
		for (let at = 0; at < stream.length; at += piece)
			cut.push(...cutter.accept(stream.subarray(at, at + piece)));
		t.notOk(cutter.done, "one is still open");
		cut.push(...cutter.finish());
		t.ok(cutter.done);
		t.same(
			cut.map((it) => it.index).sort((a, b) => a - b),
			wanted.map((_, i) => i),
		);
		for (const { index, samples } of cut) {
			const { startSample, endSample } = wanted[index] as (typeof wanted)[0];
			const expected = new Float32Array(endSample - startSample);
			expected.set(stream.subarray(startSample, endSample));
			if (
				Buffer.compare(
					Buffer.from(samples.buffer),
					Buffer.from(expected.buffer),
				)
			)
				t.fail(`window ${index} in pieces of ${piece}`);
		}
	}
});

t.test(
	"turns change midway between windows, and are numbered as they appear",
	async (t) => {
		const regions = [
			{ startMs: 1000, endMs: 5000 },
			{ startMs: 6000, endMs: 6500 },
			{ startMs: 7000, endMs: 9400 },
		];
		const all = windowsOf(regions, shape);
		t.equal(all.length, 7);
		const turns = turnsOf(regions, all, [7, 7, 3, 3, 5, 3, 7]);
		t.same(turns, [
			{ startMs: 1000, endMs: 3000, speaker: 1 },
			{ startMs: 3000, endMs: 5000, speaker: 2 },
			{ startMs: 6000, endMs: 6500, speaker: 3 },
			{ startMs: 7000, endMs: 8200, speaker: 2 },
			{ startMs: 8200, endMs: 9400, speaker: 1 },
		]);
		t.same(turnsOf([], [], []), []);
	},
);

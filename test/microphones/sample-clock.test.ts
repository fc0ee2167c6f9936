import t from "tap";
import { SampleClock } from "../../runtime/microphones/sample-clock.js";

const period = 640;
const startMs = 1_700_000_000_000;

/** Periods from a sample on, each noted when it ends, delayed by `late`. */
function listen(
	clock: SampleClock,
	fromSample: number,
	fromMs: number,
	periods: number,
	late: (at: number) => number = () => 0,
): { sample: number; ms: number } {
	for (let at = 1; at <= periods; at++)
		clock.note(fromSample + at * period, fromMs + at * 40 + late(at));
	return { sample: fromSample + periods * period, ms: fromMs + periods * 40 };
}

t.test("a delayed arrival does not mean a later recording", async (t) => {
	const clock = new SampleClock();
	listen(clock, 0, startMs, 500, (at) => (at * 7919) % 30);
	t.equal(clock.atMs(16_000), startMs + 1000);
});

t.test("a clock that was set is followed", async (t) => {
	for (const jumpMs of [3_600_000, -3_600_000]) {
		const clock = new SampleClock();
		const { sample, ms } = listen(clock, 0, startMs, 100);
		listen(clock, sample, ms + jumpMs, 1);
		t.equal(clock.atMs(sample), ms + jumpMs);
		t.equal(
			clock.atMs(0),
			startMs + jumpMs,
			"so that an utterance stays whole",
		);
	}
});

t.test("lost audio shifts what comes after it", async (t) => {
	const clock = new SampleClock();
	const { sample, ms } = listen(clock, 0, startMs, 100);
	clock.gap(sample);
	t.equal(clock.atMs(sample), ms, "until something comes");
	listen(clock, sample, ms + 700, 100);
	t.equal(clock.atMs(sample - 16), ms - 1);
	t.equal(clock.atMs(sample + 16), ms + 701);
	clock.gap(sample + 100 * period);
	const later = listen(clock, sample + 100 * period, ms + 60_000, 2500);
	t.equal(clock.atMs(later.sample), later.ms);
	t.equal(
		clock.atMs(sample + 100 * period + 1600),
		ms + 60_100,
		"also after a minute of trouble, which is not a clock change",
	);
});

t.test("a card whose clock is slow is followed", async (t) => {
	const clock = new SampleClock();
	// 200 ppm: 8 us per period
	const { sample, ms } = listen(clock, 0, startMs, 45_000, (at) => at * 0.008);
	const atMs = clock.atMs(sample);
	t.ok(Math.abs(atMs - (ms + 360)) <= 15, `${atMs - ms}`);
});

import t from "tap";
import {
	bytesPerSecondOf,
	WaitBudget,
	waitBoughtBy,
} from "../../runtime/api/feed/pace.js";

const pcm = bytesPerSecondOf({ format: "pcm", sampleRateHz: 16000 });
const callCenter = bytesPerSecondOf({ format: "pcm", sampleRateHz: 8000 });
const opus = bytesPerSecondOf({ format: "opus", sampleRateHz: 16000 });

interface Frame {
	readonly atSeconds: number;
	readonly bytes: number;
}

/** @returns when the session ends, seconds; undefined if it lasts longer than an hour of frames. */
function endOf(
	connectTimeout: number,
	bytesPerSecond: number,
	frames: Iterable<Frame>,
): number | undefined {
	const budget = new WaitBudget();
	budget.begin(0, connectTimeout);
	for (const { atSeconds, bytes } of frames) {
		const nowMs = atSeconds * 1000;
		const leftMs = budget.leftMs(nowMs);
		if (leftMs <= 0) return (nowMs + leftMs) / 1000;
		if (atSeconds > 3600) return undefined;
		budget.extend(nowMs, waitBoughtBy(bytes, bytesPerSecond));
	}
	return undefined;
}

function* every(seconds: number, bytes: number): Generator<Frame> {
	for (let atSeconds = seconds; ; atSeconds += seconds)
		yield { atSeconds, bytes };
}

/** Audio of this many seconds in pieces of 20 ms at the pace of speech, repeatedly. */
function* spoken(
	speechSeconds: number,
	pauseSeconds: number,
	bytesPerSecond: number,
): Generator<Frame> {
	for (let begin = pauseSeconds; ; begin += speechSeconds + pauseSeconds)
		for (let at = 0.02; at <= speechSeconds; at += 0.02)
			yield { atSeconds: begin + at, bytes: bytesPerSecond / 50 };
}

t.test("occasional speech keeps the session open", async (t) => {
	const served: Record<string, [number, number, Iterable<Frame>]> = {
		"as it is spoken": [5, pcm, spoken(60, 0, pcm)],
		"8 kHz as it is spoken": [5, callCenter, every(0.02, 320)],
		"a word a minute, and nothing between": [60, pcm, spoken(0.62, 59, pcm)],
		"push to talk, with the usual timeout": [10, pcm, spoken(0.3, 9.5, pcm)],
		"a file in one go, then its stop": [
			10,
			pcm,
			[{ atSeconds: 1, bytes: 1e6 }],
		],
		"16 kHz over a line of 1 KiB a second": [10, pcm, every(1, 1024)],
		"8 kHz over a line of 1 KiB a second": [10, callCenter, every(1, 1024)],
		"AMR of 4.75 kbit/s": [5, opus, every(0.02, 13)],
		"Opus that sends next to nothing in silence": [10, opus, every(1, 32)],
	};
	for (const [what, session] of Object.entries(served))
		t.equal(endOf(...session), undefined, what);
});

t.test("an occasional byte does not hold a slot", async (t) => {
	const ended: Record<string, [number, number, Iterable<Frame>, number]> = {
		"two bytes each 59 s": [60, pcm, every(59, 2), 60.01],
		"two bytes each second": [60, pcm, every(1, 2), 60.5],
		"two bytes each 100 ms": [60, pcm, every(0.1, 2), 64],
		"half of the least there is": [60, pcm, every(1, 160), 120],
		"two bytes of a container each 59 s": [60, opus, every(59, 2), 60.4],
		"nothing at all": [60, pcm, [{ atSeconds: 3600, bytes: 0 }], 60],
	};
	for (const [what, [timeout, rate, frames, latest]] of Object.entries(ended)) {
		const end = endOf(timeout, rate, frames) ?? Number.POSITIVE_INFINITY;
		t.ok(end >= timeout && end <= latest, `${what}: ${end} s`);
	}
});

t.test("no more than connect_timeout can be saved up", async (t) => {
	const budget = new WaitBudget();
	budget.begin(0, 10);
	budget.extend(1000, waitBoughtBy(1e9, pcm));
	t.equal(budget.leftMs(1000), 10_000);
	budget.extend(9000, waitBoughtBy(32, pcm));
	t.equal(budget.leftMs(9000), 2100, "a millisecond buys a tenth of a second");
	budget.renew(9000);
	t.equal(budget.leftMs(9000), 10_000, "who was held back starts anew");
});

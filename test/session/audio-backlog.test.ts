/** Audio that is kept until it has a final, however small its pieces are. */
import t from "tap";
import { AudioBacklog } from "../../runtime/session/audio-backlog.js";
import { turnMsMax } from "../hostile/loop-probe.js";
import { LoopWatch } from "../hostile/loop-watch.js";

const format = { rateHz: 8000, bytesPerSample: 1 };
const keptSamples = 40 * format.rateHz;
/** A collection of garbage does not come each time. */
const attempts = 4;

t.test("a full backlog of single samples takes more of them", async (t) => {
	const watch = new LoopWatch();
	const backlog = new AudioBacklog(format);
	const sample = Uint8Array.of(0x80);
	for (let at = 0; at < keptSamples; at++) backlog.push(sample);
	t.equal(backlog.startSample, 0);
	let leastMs = Number.POSITIVE_INFINITY;
	const more = 2000;
	for (let attempt = 0; attempt < attempts; attempt++) {
		watch.take();
		for (let at = 0; at < more; at++) backlog.push(sample);
		leastMs = Math.min(leastMs, watch.take());
	}
	t.ok(leastMs <= turnMsMax, `${leastMs} ms of processor time`);
	t.equal(backlog.lostSamples, attempts * more);
	t.equal(backlog.endSample - backlog.startSample, keptSamples);
	t.equal(backlog.audioAt(0, keptSamples).length, keptSamples);
});

t.test("what is dropped, moved and left is what was pushed", async (t) => {
	const backlog = new AudioBacklog(format);
	for (let at = 0; at < 100; at++) backlog.push(Uint8Array.of(at, at));
	backlog.dropRecognized(51);
	t.equal(backlog.startSample, 50, "whole chunks");
	t.same([...backlog.audioAt(60, 3)], [30, 30, 31, 31]);
	const moved = backlog.moveFrom(190);
	t.same([...moved.audioAt(0, 10)].slice(0, 3), [95, 95, 96]);
	t.equal(backlog.startSample, 200);
	t.equal(backlog.lostSamples, 0);
});

/** Levels in dBFS. */
import t from "tap";
import { levelFloorDbfs, rmsDbfs } from "../../runtime/audio/level.js";
import { tone } from "./signals.js";

t.test("a full-scale square wave is at 0 dBFS", async (t) => {
	const square = Float32Array.from({ length: 100 }, (_, i) => (i % 2 ? 1 : -1));
	t.equal(rmsDbfs(square), 0);
});

t.test("a sine is 3 dB under its peak", async (t) => {
	const sine = tone({ hz: 100, rateHz: 16_000, seconds: 1, amplitude: 0.1 });
	t.ok(Math.abs(rmsDbfs(sine) - -23.01) < 0.01);
});

t.test("silence and nothing at all are at the floor", async (t) => {
	for (const samples of [new Float32Array(10), new Float32Array(0)])
		t.equal(rmsDbfs(samples), levelFloorDbfs);
});

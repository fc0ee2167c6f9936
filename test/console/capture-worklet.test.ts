/** What the console sends of a microphone, for contexts of every rate that browsers give it. */
import t, { type Test } from "tap";
import { pageCode, replaceGlobal } from "./page-code.js";

interface Processor {
	process(inputs: Float32Array[][]): boolean;
}

const frames: Int16Array[] = [];
let registered: (new () => Processor) | undefined;
Object.assign(globalThis, {
	AudioWorkletProcessor: class {
		port = {
			postMessage: ({ frame }: { frame: ArrayBuffer }) =>
				frames.push(new Int16Array(frame)),
		};
	},
	registerProcessor: (_: string, it: typeof registered) => {
		registered = it;
	},
});
await pageCode("audio/capture-worklet.ts");

/** @param rateHz of a tone of 400 Hz and half of full scale: two seconds, as a browser hands them over. @returns what the page gets of it. */
function captured(t: Test, rateHz: number): Int16Array {
	replaceGlobal(t, "sampleRate", rateHz);
	if (!registered) throw new Error("nothing was registered");
	const processor = new registered();
	frames.length = 0;
	const samples = Float32Array.from(
		{ length: 2 * rateHz },
		(_, at) => 0.5 * Math.sin((2 * Math.PI * 400 * at) / rateHz),
	);
	for (let at = 0; at < samples.length; at += 128)
		processor.process([[samples.subarray(at, at + 128)]]);
	return Int16Array.from(frames.flatMap((it) => [...it]));
}

for (const rateHz of [8000, 12_000, 16_000, 44_100, 48_000])
	t.test(`${rateHz} Hz`, async (t) => {
		const samples = captured(t, rateHz);
		t.ok(Math.abs(samples.length - 32_000) <= 640, "two seconds stay two");
		const crossings = samples.filter(
			(it, at) => it >= 0 && (samples[at - 1] ?? 0) < 0,
		).length;
		t.ok(Math.abs(crossings - 800) <= 16, `${crossings} periods`);
		const loudest = samples.reduce((most, it) => Math.max(most, it), 0);
		t.ok(Math.abs(loudest - 16_384) < 700, `${loudest}`);
	});

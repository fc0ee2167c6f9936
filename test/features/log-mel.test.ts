import { existsSync, readFileSync } from "node:fs";
import t from "tap";
import { LogMel, whisperWindow } from "../../runtime/features/log-mel.js";
import { holds } from "../fuzz/holds.js";
import {
	framesOf,
	splitsMakeNoDifference,
	transformIsAsDefined,
} from "./log-mel.property.js";

const goldenPath = "../shared/golden/logmel-chirp.f32";

function chirp(): Float32Array {
	return Float32Array.from({ length: 48_000 }, (_, n) => {
		const time = n / 16_000;
		return 0.5 * Math.sin(2 * Math.PI * (200 * time + 900 * time * time));
	});
}

const noGolden = existsSync(goldenPath) ? false : `${goldenPath} is missing`;

t.test(
	"a chirp gives the reference's features within 1e-3",
	{
		skip: noGolden,
	},
	(t) => {
		const bytes = readFileSync(goldenPath);
		const golden = new Float32Array(bytes.buffer, bytes.byteOffset, 300 * 80);
		const window = whisperWindow(framesOf([chirp()]), 80, 300);
		let worst = 0;
		for (let f = 0; f < 300; f++)
			for (let m = 0; m < 80; m++)
				worst = Math.max(
					worst,
					Math.abs(
						(golden[f * 80 + m] as number) - (window[m * 300 + f] as number),
					),
				);
		t.ok(worst < 1e-3, `largest difference ${worst}`);
		t.end();
	},
);

await holds(t, splitsMakeNoDifference(), 20);
await holds(t, transformIsAsDefined(), 1);

t.test("silence after the samples need not be computed", (t) => {
	const samples = chirp();
	const padded = new Float32Array(80_000);
	padded.set(samples);
	const whole = whisperWindow(framesOf([padded]), 80, 500);
	const short = new Float32Array(samples.length + 640);
	short.set(samples);
	const filled = whisperWindow(framesOf([short]), 80, 500);
	// the last frame of the whole signal mirrors the samples before it, which are silence too
	t.same(filled, whole);
	t.end();
});

t.test("128 mels for the large models", (t) => {
	const frames = framesOf([chirp()], 128);
	t.equal(frames.length, 300 * 128);
	t.ok(frames.every(Number.isFinite));
	t.end();
});

t.test("no samples, and less than half a window, give no frames", (t) => {
	t.equal(framesOf([]).length, 0);
	t.equal(framesOf([new Float32Array(100)]).length, 0);
	t.end();
});

t.test("reset removes the previous signal", (t) => {
	const logMel = new LogMel(80, undefined);
	logMel.accept(chirp());
	logMel.finish();
	logMel.take();
	logMel.reset();
	logMel.accept(chirp().subarray(0, 8_000));
	logMel.finish();
	t.same(logMel.take(), framesOf([chirp().subarray(0, 8_000)]));
	t.end();
});

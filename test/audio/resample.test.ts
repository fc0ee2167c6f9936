/** Resampling to 16 kHz: passband, stopband and delay. */

import t from "tap";
import { Resampler } from "../../runtime/audio/resample.js";
import { sampleRateHz } from "../../runtime/audio/sample-rate.js";
import {
	amplitudeAt,
	join,
	seededRandom,
	tone,
	whiteNoise,
} from "./signals.js";

const ratesHz = [
	4000, 8000, 11025, 16000, 22050, 32000, 44100, 48000, 96000, 192000, 352800,
	384000,
];

async function resample(
	pieces: readonly Float32Array[],
	rateHz: number,
): Promise<Float32Array> {
	const resampler = await Resampler.open(rateHz);
	const out = pieces.map((piece) => resampler.accept(piece));
	out.push(resampler.finish());
	resampler.close();
	return join(out);
}

/** Away from the edges, where a tone begins abruptly. */
function middle(samples: Float32Array): Float32Array {
	return samples.subarray(samples.length * 0.2, samples.length * 0.8);
}

function toDb(ratio: number): number {
	return 20 * Math.log10(ratio);
}

t.test("n samples become round(n * 16000 / rate)", async (t) => {
	for (const rateHz of ratesHz)
		for (const count of [0, 1, 999, Math.round(rateHz / 2) + 1]) {
			const out = await resample([new Float32Array(count).fill(0.1)], rateHz);
			const expected = Math.round((count * sampleRateHz) / rateHz);
			t.equal(out.length, expected, `${count} at ${rateHz} Hz`);
		}
});

t.test("at 16 kHz nothing is changed", async (t) => {
	const noise = whiteNoise(5000, 0.3, seededRandom(1));
	t.strictSame(await resample([noise], 16000), noise);
});

t.test("frequencies above 8 kHz are at least 60 dB down", async (t) => {
	for (const rateHz of [22050, 44100, 48000, 96000])
		for (const hz of [8050, 8500, 9500, 10_500, 13_000, 19_000]) {
			if (hz >= rateHz / 2) continue;
			const input = tone({ hz, rateHz, seconds: 0.5, amplitude: 0.5 });
			const out = middle(await resample([input], rateHz));
			let power = 0;
			for (const sample of out) power += sample * sample;
			const db = toDb(Math.sqrt((2 * power) / out.length) / 0.5);
			t.ok(db < -60, `${hz} Hz at ${rateHz} Hz: ${db.toFixed(1)} dB`);
		}
});

t.test("upsampling makes no images", async (t) => {
	const input = tone({ hz: 3000, rateHz: 8000, seconds: 0.5, amplitude: 0.5 });
	const out = middle(await resample([input], 8000));
	const db = toDb(amplitudeAt(out, 5000, sampleRateHz) / 0.5);
	t.ok(db < -80, `image of 3 kHz at 5 kHz: ${db.toFixed(1)} dB`);
});

t.test("the passband is flat, and half a decibel down at 7 kHz", async (t) => {
	for (const rateHz of ratesHz)
		for (const hz of [100, 1000, 3000, 5000, 7000]) {
			if (hz > 0.43 * rateHz) continue; // the filter's edge, if the input has the lower rate
			const input = tone({ hz, rateHz, seconds: 0.5, amplitude: 0.5 });
			const out = middle(await resample([input], rateHz));
			const db = toDb(amplitudeAt(out, hz, sampleRateHz) / 0.5);
			const allowedDb = hz > 6000 ? 0.5 : 0.1;
			t.ok(
				Math.abs(db) < allowedDb,
				`${hz} Hz at ${rateHz} Hz: ${db.toFixed(3)} dB`,
			);
		}
});

t.test("the filter's delay is compensated", async (t) => {
	for (const rateHz of ratesHz) {
		const click = new Float32Array(rateHz);
		// a smooth bump in the middle, so that its centre can be found
		const centre = Math.round(0.5 * rateHz);
		const width = 0.002 * rateHz;
		click.forEach((_, i) => {
			click[i] = Math.exp(-(((i - centre) / width) ** 2));
		});
		const out = await resample([click], rateHz);
		let weight = 0;
		let moment = 0;
		out.forEach((sample, i) => {
			weight += sample;
			moment += sample * i;
		});
		const late = moment / weight - (centre / rateHz) * sampleRateHz;
		t.ok(Math.abs(late) < 0.05, `${rateHz} Hz: ${late.toFixed(4)} samples`);
	}
});

t.test("a resampler keeps no state of the previous stream", async (t) => {
	const loud = whiteNoise(20_000, 0.5, seededRandom(2));
	const quiet = tone({ hz: 440, rateHz: 44100, seconds: 0.2, amplitude: 0.1 });
	const fresh = await resample([quiet], 44100);
	const resampler = await Resampler.open(48000);
	resampler.accept(loud);
	resampler.close(); // in the middle of a stream
	t.strictSame(await resample([quiet], 44100), fresh);
});

t.test("a closed resampler takes no more, whatever its rate", async (t) => {
	for (const rateHz of [8000, 16000]) {
		const resampler = await Resampler.open(rateHz);
		resampler.close();
		t.throws(() => resampler.accept(new Float32Array(10)), /closed/);
	}
});

/**
 * Copies of clips as a distant microphone or a telephone gives them. far: a measured room response, then recorded noise, and a quarter of the level; phone: 300 to
 * 3400 Hz at 8 kHz through A-law. The same copies each time.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { cacheDirectory } from "../cache.js";
import { type Clip, clipsDirectory } from "../clips.js";
import type { ScoredLanguage } from "../scoring.js";
import { readWav, toFloat, writeWav } from "../wav.js";
import { convolved } from "./convolution.js";

export type DegradedKind = "far" | "phone";

/** Of full scale, root mean square: what a voice across the room leaves. */
const farRms = 0.05;

/** @param snrDb of the far copies: speech over noise. */
export function degradedClips(
	clips: readonly Clip[],
	kind: DegradedKind,
	language: ScoredLanguage,
	snrDb: number,
): readonly Clip[] {
	const folder = join(cacheDirectory, "degraded");
	mkdirSync(folder, { recursive: true });
	const own = clips.filter((it) => it.language === language);
	return own.map((clip, i) => {
		const path = join(folder, `${kind}-${clip.name}.wav`);
		if (kind === "phone") overTelephone(clip.path, path);
		else writeWav(path, fromAfar(toFloat(readWav(clip.path)), i, snrDb));
		return { ...clip, path };
	});
}

function overTelephone(from: string, to: string): void {
	const band = "highpass=f=300:p=2,lowpass=f=3400:p=2";
	const ffmpeg = (...args: string[]) =>
		execFileSync("ffmpeg", ["-v", "error", "-y", ...args], {
			maxBuffer: 2 ** 26,
		});
	const line = ["-ar", "8000", "-c:a", "pcm_alaw", "-f", "alaw", "-"];
	const coded = ffmpeg("-i", from, "-af", `${band},${band}`, ...line);
	execFileSync(
		"ffmpeg",
		[
			"-v",
			"error",
			"-y",
			"-f",
			"alaw",
			"-ar",
			"8000",
			"-i",
			"-",
			"-ar",
			"16000",
			to,
		],
		{ input: coded },
	);
}

/** @param index chooses the room and the noise. */
export function fromAfar(
	dry: Float32Array,
	index: number,
	snrDb: number,
): Int16Array {
	const rooms = noiseFiles(/^rir\d\.wav$/);
	const noises = noiseFiles(/^noise\d\.wav$/);
	const wet = convolved(dry, rooms[index % rooms.length] as Float32Array);
	const noise = noises[
		Math.floor(index / rooms.length) % noises.length
	] as Float32Array;
	const bed = wet.map((_, i) => noise[i % noise.length] as number);
	const gain = (rms(wet) / (rms(bed) + 1e-9)) * 10 ** (-snrDb / 20);
	const noisy = wet.map((sample, i) => sample + gain * (bed[i] as number));
	const scale = (32768 * farRms) / rms(noisy);
	return Int16Array.from(noisy, (it) =>
		Math.max(-32768, Math.min(32767, Math.round(scale * it))),
	);
}

function noiseFiles(name: RegExp): Float32Array[] {
	const folder = join(clipsDirectory, "noise");
	const names = readdirSync(folder)
		.filter((it) => name.test(it))
		.sort();
	return names.map((it) => toFloat(readWav(join(folder, it))));
}

function rms(samples: Float32Array): number {
	let power = 0;
	for (const sample of samples) power += sample * sample;
	return Math.sqrt(power / samples.length);
}

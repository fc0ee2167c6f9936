/**
 * Signal analysis without a model: the level of each log-mel frame in the speech band, and whether a segment can be speech at all.
 * The level of speech varies: in our clips its loud frames are 18 dB and more above its quiet ones; hum, hiss and running water stay within 3 dB.
 */
const bandLow = 4; // mel band of 80; about 170 Hz
const bandHigh = 64; // about 5 kHz
/** Decibels of mel power below which speech is unintelligible; speech in a quiet room's recording is above -45. */
const audibleMin = -62;
const swingMinDb = 3;
/** Shorter audio may be part of a single vowel, so it is never rejected as steady. */
const judgedFramesMin = 50;
/** Powers of ten below the loudest band; fainter bands are clamped to it. */
const sonorityRange = 6;

/** Level of each frame in the speech band, in decibels. @param frames log10 mel power, [frames, mels]. */
export function frameLevels(frames: Float32Array, mels: number): Float32Array {
	const levels = new Float32Array(Math.floor(frames.length / mels));
	const low = Math.round((bandLow * mels) / 80);
	const high = Math.round((bandHigh * mels) / 80);
	for (let f = 0; f < levels.length; f++) {
		let sum = 0;
		for (let m = low; m < high; m++)
			sum += Math.exp((frames[f * mels + m] as number) * Math.LN10);
		levels[f] = 10 * Math.log10(sum / (high - low));
	}
	return levels;
}

/** @param levels of the frames, in decibels. @returns why the audio can't be speech, or undefined. */
export function whyNotSpeech(
	levels: Float32Array,
): "inaudible" | "steady" | undefined {
	if (levels.length === 0) return "inaudible";
	const { loud, quiet } = loudAndQuiet(levels);
	if (loud < audibleMin) return "inaudible";
	if (levels.length < judgedFramesMin) return undefined;
	return loud - quiet < swingMinDb ? "steady" : undefined;
}

/** Level difference between loud and quiet frames. @param levels of frames, in decibels. */
export function swingDb(levels: Float32Array): number {
	if (levels.length === 0) return 0;
	const { loud, quiet } = loudAndQuiet(levels);
	return loud - quiet;
}

function loudAndQuiet(levels: Float32Array) {
	const sorted = levels.slice().sort();
	return { loud: quantile(sorted, 0.95), quiet: quantile(sorted, 0.2) };
}

/**
 * Sonority of each frame: the mean of its bands' decibels, so that an "s", which is faint and only in high bands, counts like a vowel.
 * @param frames log10 mel power, [frames, mels].
 */
export function frameSonority(
	frames: Float32Array,
	mels: number,
): Float32Array {
	let max = Number.NEGATIVE_INFINITY;
	for (const value of frames) if (value > max) max = value;
	const floor = max - sonorityRange;
	const sonority = new Float32Array(Math.floor(frames.length / mels));
	for (let f = 0; f < sonority.length; f++) {
		let sum = 0;
		for (let m = 0; m < mels; m++)
			sum += Math.max(frames[f * mels + m] as number, floor);
		sonority[f] = (10 * sum) / mels;
	}
	return sonority;
}

/**
 * The sonority threshold between sound and pauses.
 * @param share position between the quiet frames and the loud ones: a quarter between words, less where a sentence fades out.
 */
export function pauseSonority(sonority: Float32Array, share = 0.25): number {
	const sorted = sonority.slice().sort();
	const loud = quantile(sorted, 0.95);
	const quiet = quantile(sorted, 0.05);
	return quiet + (loud - quiet) * share;
}

function quantile(sorted: Float32Array, share: number): number {
	const index = Math.floor(share * (sorted.length - 1));
	return sorted[index] ?? Number.NEGATIVE_INFINITY;
}

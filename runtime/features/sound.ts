/**
 * What the ear knows before any model: how loud each frame of a log-mel is in the band of speech, and whether the whole can be speech at all.
 * Speech swings: on our clips its loud frames are 18 dB and more above its quiet ones; hum, hiss and running water stay within 3 dB.
 */
const bandLow = 4; // mel band of 80; about 170 Hz
const bandHigh = 64; // about 5 kHz
/** Decibels of mel power below which nothing can be understood; speech in a quiet room's recording is above -45. */
const audibleMin = -62;
const swingMinDb = 3;
/** A shorter sound may be a piece of one vowel: not judged. */
const judgedFramesMin = 50;
/** Powers of ten below the loudest band; what is fainter is not heard. */
const sonorityRange = 6;

/** Decibels of each frame in the band of speech. @param frames log10 mel power, [frames, mels]. */
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

/** Why a sound can't be speech, or nothing. @param levels of its frames, in decibels. */
export function whyNotSpeech(
	levels: Float32Array,
): "inaudible" | "steady" | undefined {
	if (levels.length === 0) return "inaudible";
	const { loud, quiet } = loudAndQuiet(levels);
	if (loud < audibleMin) return "inaudible";
	if (levels.length < judgedFramesMin) return undefined;
	return loud - quiet < swingMinDb ? "steady" : undefined;
}

/** What the loud frames have over the quiet ones. @param levels of frames, in decibels. */
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
 * How much each frame sounds, in decibels: the mean of its bands' decibels, so that an "s", all of it high up and faint, counts like a vowel.
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
 * The sonority that separates sounding frames from pauses.
 * @param share of the way up from the quiet frames to the loud ones: a quarter between words, less where a sentence dies away.
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

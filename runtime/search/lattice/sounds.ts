/**
 * How alike two syllables sound, for alignments: an initial or a final that differs costs half, and half of that where speakers and recognizers
 * confuse them.
 */
export interface Sound {
	/** "" where the syllable begins with its vowel. */
	readonly initial: string;
	readonly final: string;
	/** For `soundDistance`. */
	readonly number: number;
}

/** As units of syllable recognizers, y and w are initials. */
const initials = new Set(
	"b p m f d t n l g k h j q x zh ch sh r z c s y w".split(" "),
);
const confused = new Set(["zh z", "ch c", "sh s", "n l", "h f", "r l"]);
/** Distances are counted in quarters. */
const different = 2;
const alike = 1;

/** More than initials times finals; further names share the last number, like no other sound. */
const soundsMax = 1024;
const sounds = new Map<string, Sound>();
/** By two numbers: the distance + 1, or 0 where it is not known yet. */
const distances = new Uint8Array(soundsMax * soundsMax);
const byNumber: Sound[] = [];

/** @param syllable "" for an unknown one. */
export function soundOf(syllable: string): Sound {
	const known = sounds.get(syllable);
	if (known) return known;
	const length = initials.has(syllable.slice(0, 2)) ? 2 : 1;
	const initial = syllable.slice(0, length);
	const isInitial = initials.has(initial) && syllable.length > length;
	const number = Math.min(sounds.size, soundsMax - 1);
	const sound = isInitial
		? { initial, final: syllable.slice(length), number }
		: { initial: "", final: syllable, number };
	if (number < soundsMax - 1) {
		sounds.set(syllable, sound);
		byNumber[number] = sound;
	}
	return sound;
}

/** @param one, other numbers of sounds. @returns 0 for the same syllable, at most 1. */
export function soundDistance(one: number, other: number): number {
	if (one === other) return 0;
	const at = one * soundsMax + other;
	const known = distances[at] as number;
	if (known > 0) return (known - 1) / 4;
	const distance = quarters(byNumber[one], byNumber[other]);
	distances[at] = distance + 1;
	return distance / 4;
}

function quarters(one: Sound | undefined, other: Sound | undefined): number {
	const isUnknown = !one?.final || !other?.final;
	if (isUnknown) return 2 * different;
	let distance = 0;
	if (one.initial !== other.initial)
		distance += isConfused(one.initial, other.initial) ? alike : different;
	if (one.final !== other.final)
		distance +=
			withoutNasal(one.final) === withoutNasal(other.final) ? alike : different;
	return distance;
}

function isConfused(one: string, other: string): boolean {
	return confused.has(`${one} ${other}`) || confused.has(`${other} ${one}`);
}

/** -ng and -n are confused. */
function withoutNasal(final: string): string {
	return final.endsWith("ng") ? final.slice(0, -1) : final;
}

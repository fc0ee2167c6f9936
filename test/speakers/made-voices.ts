/** Embeddings of voices, generated from a seed: a direction for each voice, and noise around it. */
import { readFileSync } from "node:fs";
import type { SpeakerShape } from "../../runtime/models/campplus/shape.js";
import type { Region } from "../../runtime/speakers/windows.js";

const manifest = JSON.parse(
	readFileSync("models/campplus-zh-en/model.json", "utf8"),
) as { readonly speaker: SpeakerShape };

export const shape = manifest.speaker;
export const { dimensions } = shape;

export class MadeVoices {
	#state: number;
	readonly #centres: Float32Array[];

	/** @param likeness of any two voices: the cosine between them. */
	constructor(seed: number, voices: number, likeness = 0.1) {
		this.#state = seed;
		const shared = this.#direction();
		const own: Float32Array[] = [];
		while (own.length < voices) own.push(this.#direction([shared, ...own]));
		this.#centres = own.map((it) => mixed(shared, it, likeness));
	}

	/** @param steadiness of the voice: the cosine between a window and its voice's direction. */
	window(voice: number, steadiness = 0.85): Float32Array {
		const centre = this.#centres[voice] as Float32Array;
		return mixed(centre, this.#direction([centre]), steadiness ** 2);
	}

	below(limit: number): number {
		return Math.floor(this.#random() * limit);
	}

	#random(): number {
		this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
		return this.#state / 2 ** 32;
	}

	/** Length 1; at right angles to these, which are so to each other: two by chance are so only nearly, and a likeness would be off by 0.03. */
	#direction(others: readonly Float32Array[] = []): Float32Array {
		const values = Float32Array.from({ length: dimensions }, () => {
			const u = 1 - this.#random();
			const v = this.#random();
			return Math.sqrt(-2 * Math.log(u)) * Math.cos(2 * Math.PI * v);
		});
		return unit(others.reduce(without, values));
	}
}

/** What is left of one direction at right angles to another. */
function without(values: Float32Array, other: Float32Array): Float32Array {
	const shared = values.reduce((sum, it, i) => sum + it * (other[i] ?? 0), 0);
	return values.map((it, i) => it - shared * (other[i] ?? 0));
}

/** @param share of the first one's square. */
function mixed(a: Float32Array, b: Float32Array, share: number): Float32Array {
	const weightA = Math.sqrt(share);
	const weightB = Math.sqrt(1 - share);
	return unit(
		a.map((it, i) => weightA * it + weightB * ((b[i] as number) ?? 0)),
	);
}

function unit(values: Float32Array): Float32Array {
	const length = Math.hypot(...values);
	return values.map((it) => it / length);
}

/** Regions of one window each, a second apart. */
export function singleWindows(count: number, seconds = 1.6): Region[] {
	return Array.from({ length: count }, (_, i) => ({
		startMs: i * 3000,
		endMs: i * 3000 + seconds * 1000,
	}));
}

/** Whether two groupings are the same, regardless of labels. */
export function sameGroups(
	a: readonly unknown[],
	b: readonly unknown[],
): boolean {
	const pairs = new Set(a.map((it, i) => `${it}|${b[i]}`));
	return (
		a.length === b.length &&
		pairs.size === new Set(a).size &&
		pairs.size === new Set(b).size
	);
}

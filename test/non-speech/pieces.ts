/**
 * Sounds in which nobody says anything: each kind several times, by another seed, length and level. Made here, so that nothing needs a licence.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom } from "../audio/signals.js";
import { madeOnce } from "../fixtures/made-once.js";
import { knocks } from "./knocks.js";
import { noises } from "./noises.js";
import { type Maker, toPeak } from "./shaping.js";
import { tones } from "./tones.js";
import { voices } from "./voices.js";

export interface Piece {
	/** What it is, and which of its kind. */
	readonly name: string;
	/** Mono, 16 kHz. */
	readonly samples: Float32Array;
}

const kinds: readonly (readonly [string, Maker])[] = [
	noises,
	knocks,
	tones,
	voices,
].flatMap((it) => Object.entries(it));

const secondsOfTakes = [1.2, 2.4, 3.6, 1.8] as const;
const peaks = [0.8, 0.2, 0.5, 0.04] as const;

/** The usual takes of each kind: to compute them takes as long as to recognize twenty clips, so they are kept in the build. */
export async function keptNonSpeech(): Promise<Piece[]> {
	const folder = await madeOnce(
		{
			name: "non-speech",
			of: ["build/test/non-speech", "build/test/audio/signals.js"],
		},
		(folder) => {
			for (const { name, samples } of nonSpeech())
				writeFileSync(join(folder, name), samples);
		},
	);
	return readdirSync(folder).map((name) => ({
		name,
		samples: new Float32Array(
			new Uint8Array(readFileSync(join(folder, name))).buffer,
		),
	}));
}

/** @param takes of each kind; @param firstTake others have other numbers. */
export function nonSpeech(takes = 4, firstTake = 0): Piece[] {
	return kinds.flatMap(([kind, make], k) =>
		Array.from({ length: takes }, (_, i) => {
			const take = firstTake + i;
			const random = seededRandom(1 + k * 7919 + take * 104_729);
			for (let warmUp = 0; warmUp < 10; warmUp++) random();
			const seconds = secondsOfTakes[take % 4] as number;
			const peak = peaks[(take + k) % 4] as number;
			return {
				name: `${kind} ${take + 1}`,
				samples: toPeak(make(seconds, random), peak),
			};
		}),
	);
}

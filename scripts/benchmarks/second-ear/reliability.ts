/**
 * Whether confidences mean what they say: of the characters in each range of confidence, how many are right. A word's confidence is that of each of its
 * characters; a character is right where an alignment with the reference keeps it.
 */
import { commonPairs } from "../../../runtime/models/whisper/text-windows.js";
import { scoringUnits } from "../scoring.js";
import type { Pair } from "./pairs.js";
import type { Recognized } from "./servers.js";

/** Lower bounds of the ranges. */
const bounds = [0, 0.3, 0.6, 0.9] as const;

interface SureCharacter {
	readonly character: string;
	readonly confidence: number;
	readonly isRight: boolean;
}

export interface Reliability {
	readonly characters: number;
	/** Mean squared distance of the confidence from 1 (right) or 0 (wrong). */
	readonly brier: number;
	readonly ranges: readonly {
		readonly from: number;
		readonly characters: number;
		/** Percent. */
		readonly right: number;
	}[];
}

/** Of all characters, and of those that the second ear replaced: what stood there without it, and what it put there. */
export function reliabilities(pairs: readonly Pair[]) {
	const all = { without: [] as SureCharacter[], with: [] as SureCharacter[] };
	const changed = {
		without: [] as SureCharacter[],
		with: [] as SureCharacter[],
	};
	for (const pair of pairs) {
		const before = charactersOf(pair.without, pair.reference);
		const after = charactersOf(pair.with, pair.reference);
		const kept = commonPairs(
			before.map((it) => it.character),
			after.map((it) => it.character),
		);
		const keptBefore = new Set(kept.map(([i]) => i));
		const keptAfter = new Set(kept.map(([, k]) => k));
		all.without.push(...before);
		all.with.push(...after);
		changed.without.push(...before.filter((_, i) => !keptBefore.has(i)));
		changed.with.push(...after.filter((_, k) => !keptAfter.has(k)));
	}
	return {
		all: {
			without: reliabilityOf(all.without),
			with: reliabilityOf(all.with),
		},
		changed: {
			without: reliabilityOf(changed.without),
			with: reliabilityOf(changed.with),
		},
	};
}

/** Chinese characters only: numbers and Latin words are scored in another spelling. */
function charactersOf(
	{ words }: Recognized,
	reference: string,
): SureCharacter[] {
	const characters = words.flatMap(({ word, confidence }) =>
		scoringUnits(word, "zh")
			.filter((it) => /\p{Script=Han}/u.test(it))
			.map((character) => ({ character, confidence })),
	);
	const kept = commonPairs(
		characters.map((it) => it.character),
		scoringUnits(reference, "zh"),
	);
	const right = new Set(kept.map(([i]) => i));
	return characters.map((it, i) => ({ ...it, isRight: right.has(i) }));
}

function reliabilityOf(characters: readonly SureCharacter[]): Reliability {
	const squares = characters.map(
		({ confidence, isRight }) => (confidence - (isRight ? 1 : 0)) ** 2,
	);
	return {
		characters: characters.length,
		brier: squares.reduce((sum, it) => sum + it, 0) / characters.length,
		ranges: bounds.map((from, i) => {
			const to = bounds[i + 1] ?? Number.POSITIVE_INFINITY;
			const own = characters.filter(
				({ confidence }) => confidence >= from && confidence < to,
			);
			const right = own.filter((it) => it.isRight).length;
			return {
				from,
				characters: own.length,
				right: (100 * right) / own.length,
			};
		}),
	};
}

/** 0.0: 12 (33 %), 0.3: ... */
export function shownRanges({ ranges, brier }: Reliability): string {
	const cells = ranges.map(
		({ from, characters, right }) =>
			`from ${from.toFixed(1)} ${characters === 0 ? "none" : `${characters} (${right.toFixed(0)} % right)`}`,
	);
	return `${cells.join(", ")}; Brier ${brier.toFixed(3)}`;
}

/**
 * Symbols of a model that spells Chinese syllables as an initial and a final with its tone ("zh", "ōng"), and syllables as the rest of earshot writes them:
 * toneless, with "v" for ü ("zhong", "nv").
 */
import type { WantedSyllable } from "../../search/lattice/syllables.js";
import { isInitial, type SymbolTable } from "../writing/symbol-table.js";

/** A token, and how a text's wish for it is scored. */
export interface WantedToken {
	readonly token: number;
	/** The same final in all its tones; undefined for an initial. */
	readonly tones: readonly number[] | undefined;
	/** The text does not say the tone, or the model lacks it. */
	readonly anyTone: boolean;
}

/** A final with its tone. */
interface Final {
	/** Toneless. */
	readonly base: string;
	/** 1 to 5. */
	readonly tone: number;
}

const toneMarks = ["\u0304", "\u0301", "\u030c", "\u0300"] as const;
const neutralTone = 5;
/** Syllables with every initial, and with finals of every kind. */
const needed = [
	...["ba", "pai", "mei", "fu", "dao", "tou", "nv", "lve", "ge", "kan", "heng"],
	...["jiang", "qiong", "xuan", "zhi", "chuang", "shui", "ruo", "zen", "cong"],
	...["si", "yin", "wo", "er", "an"],
];
/** Finals have small letters, with a tone mark or two dots. */
const finalSymbol = /^[a-zü]+$/u;

export class PinyinSymbols {
	readonly initials: ReadonlyMap<string, number>;
	/** Tokens of each toneless final. */
	readonly finals: ReadonlyMap<string, readonly number[]>;
	readonly #finalOf: readonly (Final | undefined)[];
	readonly #initialOf: readonly (string | undefined)[];

	/** @param vocabulary tokens that the model scores. */
	constructor(symbols: SymbolTable, vocabulary: number) {
		const all = Array.from({ length: vocabulary }, (_, token) =>
			symbols.symbol(token),
		);
		this.#initialOf = all.map((it) => (isInitial(it) ? it : undefined));
		this.#finalOf = all.map((it) => (isInitial(it) ? undefined : finalOf(it)));
		this.initials = new Map(
			this.#initialOf.flatMap((it, token) => (it ? [[it, token]] : [])),
		);
		const finals = new Map<string, number[]>();
		this.#finalOf.forEach((it, token) => {
			if (it) finals.set(it.base, [...(finals.get(it.base) ?? []), token]);
		});
		this.finals = finals;
	}

	/** Why these are not the symbols of Chinese syllables; undefined: they are. */
	get whyIncomplete(): string | undefined {
		const lacks = needed.filter((base) => !this.tokensOf({ base }));
		return lacks.length === 0
			? undefined
			: `tokens.txt has no symbols for the syllables ${lacks.join(", ")}: a second ear needs the initials and toned finals of pinyin`;
	}

	initialOf(token: number): string | undefined {
		return this.#initialOf[token];
	}

	finalOf(token: number): Final | undefined {
		return this.#finalOf[token];
	}

	/** @returns undefined where the model has no symbols for it. */
	tokensOf({ base, tone }: WantedSyllable): WantedToken[] | undefined {
		const { initial, final } = splitSyllable(base);
		const begin = this.initials.get(initial);
		const tones = this.finals.get(final);
		if (!tones || (initial !== "" && begin === undefined)) return undefined;
		const exact = tone && tones.find((it) => this.#finalOf[it]?.tone === tone);
		const end: WantedToken = {
			token: exact || (tones[0] as number),
			tones,
			anyTone: !exact,
		};
		if (begin === undefined) return [end];
		return [{ token: begin, tones: undefined, anyTone: false }, end];
	}
}

/** @param base toneless pinyin: "zhong" is "zh" and "ong", "er" is "" and "er". */
export function splitSyllable(base: string): {
	readonly initial: string;
	readonly final: string;
} {
	for (const length of [2, 1]) {
		const initial = base.slice(0, length);
		const final = base.slice(length);
		if (final !== "" && isInitial(initial))
			return { initial, final: finalBehind(initial, final) };
	}
	return { initial: "", final: base };
}

/** Behind these consonants ü is written u: "jü" and "ju" are the same syllable. */
function finalBehind(initial: string, final: string): string {
	return /^[jqxy]$/u.test(initial) ? final.replace(/^v/u, "u") : final;
}

function finalOf(symbol: string): Final | undefined {
	const letters = symbol.normalize("NFD");
	const mark = toneMarks.findIndex((it) => letters.includes(it));
	const base = letters
		.replaceAll(/[\u0300\u0301\u0304\u030c]/gu, "")
		.normalize("NFC");
	if (!finalSymbol.test(base)) return undefined;
	return {
		base: base.replaceAll("ü", "v"),
		tone: mark < 0 ? neutralTone : mark + 1,
	};
}

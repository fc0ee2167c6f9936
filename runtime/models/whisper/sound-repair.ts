/**
 * Hotwords that the search did not reach though the text holds what sounds like them: "爆猫" for 豹猫. The search keeps the likeliest few beginnings, and a
 * rare character's is none of them; once a stretch of the text is known to sound the same, the decoder is asked outright how likely the hotword
 * would have been in its place. It is written there where that is likely enough: sound and list speak for it, how common a word is against it.
 */
import type { SearchResult } from "../../search/beam-search.js";
import type { SoundIndex } from "../../search/sound-alike.js";
import { syllablesOf } from "../../text/zh/pinyin.js";
import { simplifyCharacters } from "../../text/zh/simplify.js";
import type { Tensor } from "../inference-port.js";
import type { TextPiece } from "../writing/transcript.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** The hotwords that have a sound, and what they are worth. */
export interface HotwordSounds {
	readonly index: SoundIndex;
	readonly writings: readonly string[];
	/** Of a hotword that sounds just so, by its characters. */
	readonly nats: number;
}

export interface RepairContext {
	readonly cross: Readonly<Record<string, Tensor>>;
	readonly languageToken: number;
	/** Tokens that are settled: nothing is written there. */
	readonly settled: number;
}

/** A stretch of the text, in tokens, and what might stand there. */
interface RepairCandidate {
	readonly from: number;
	readonly to: number;
	readonly tokens: readonly number[];
	readonly bonus: number;
}

/** So many are tried in a segment: each costs about three steps of the search. */
const candidatesMax = 3;
/** Among more words than this something sounds nearly like anything: only what sounds just the same is tried. */
const nearWordsMax = 1500;
/** A stretch that is likelier than this (natural logarithm, all tokens together) is what was said. */
const sureLogp = -0.7;
/** Characters of a hotword that count. */
const unitsMax = 3;
/** What sounds just the same may be this much unlikelier than what the search alone would allow. */
const sameSoundFactor = 1.5;
const tokensBehind = 3;

export class SoundRepair {
	readonly #decoder: WhisperDecoder;
	readonly #tokenizer: WhisperTokenizer;
	readonly #bias: Tensor;

	constructor(decoder: WhisperDecoder, tokenizer: WhisperTokenizer) {
		this.#decoder = decoder;
		this.#tokenizer = tokenizer;
		this.#bias = decoder.biasTensor(decoder.shape.suppress);
	}

	async repair<Found extends SearchResult>(
		found: Found,
		context: RepairContext,
		sounds: HotwordSounds,
	): Promise<Found> {
		let { tokens, logp } = found;
		// from the end: what comes before keeps its place
		for (const one of this.#candidates(found, context, sounds)) {
			const wanted = [
				...one.tokens,
				...tokens.slice(one.to, one.to + tokensBehind),
			];
			const scores = await this.#score(
				context,
				tokens.slice(0, one.from),
				wanted,
			);
			const from = one.from - context.settled;
			const to = one.to - context.settled;
			const instead = logp.slice(from, to + wanted.length - one.tokens.length);
			const gain = sum(scores) - sum(instead) + one.bonus;
			if (gain <= 0) continue;
			tokens = [
				...tokens.slice(0, one.from),
				...one.tokens,
				...tokens.slice(one.to),
			];
			logp = [
				...logp.slice(0, from),
				...scores.slice(0, one.tokens.length),
				...logp.slice(to),
			];
		}
		return { ...found, tokens, logp };
	}

	/** The most promising, last in the text first, none across another. */
	#candidates(
		{ tokens, logp }: SearchResult,
		{ settled }: RepairContext,
		{ index, writings, nats }: HotwordSounds,
	): RepairCandidate[] {
		const pieces = this.#tokenizer.pieces(tokens);
		const owners: number[] = [];
		const written: string[] = [];
		pieces.forEach((piece, i) => {
			for (const character of piece.text) {
				owners.push(i);
				written.push(character);
			}
		});
		const characters = simplifyCharacters(written);
		const alike = index.find(syllablesOf(characters));
		/** Pieces that say a hotword already, or are to. */
		const taken = new Set<number>();
		for (const { word, from, to } of alike)
			if (characters.slice(from, to).join("") === writings[word])
				for (const owner of owners.slice(from, to)) taken.add(owner);
		const candidates: RepairCandidate[] = [];
		for (const { word, from, to, distance } of alike) {
			if (candidates.length === candidatesMax) break;
			if (distance > 0 && writings.length > nearWordsMax) break;
			const first = owners[from] as number;
			const last = owners[to - 1] as number;
			const tokenStart = (pieces[first] as TextPiece).tokenStart;
			const tokenEnd = (pieces[last] as TextPiece).tokenEnd;
			if (tokenStart < settled) continue;
			const likely = logp.slice(tokenStart - settled, tokenEnd - settled);
			if (sum(likely) > sureLogp) continue;
			const own = pieces.map((_, i) => i).slice(first, last + 1);
			if (own.some((i) => taken.has(i))) continue;
			for (const i of own) taken.add(i);
			const text =
				written.slice(owners.indexOf(first), from).join("") +
				writings[word] +
				written.slice(to, owners.lastIndexOf(last) + 1).join("");
			const units = Math.min(unitsMax, to - from);
			candidates.push({
				from: tokenStart,
				to: tokenEnd,
				tokens: this.#tokenizer.encode(text),
				bonus: nats * units * (distance === 0 ? sameSoundFactor : 1),
			});
		}
		return candidates.sort((a, b) => b.from - a.from);
	}

	/** Log-probability of each of the tokens wanted, behind the ones before. */
	async #score(
		{ cross, languageToken }: RepairContext,
		before: readonly number[],
		wanted: readonly number[],
	): Promise<readonly number[]> {
		const { special } = this.#decoder.shape;
		const prompt = [
			special.startOfTranscript,
			languageToken,
			special.transcribe,
			special.noTimestamps,
			...before,
		];
		const run = this.#decoder.begin(cross);
		try {
			const output = await run.step({
				tokens: [...prompt, ...wanted.slice(0, -1)],
				parents: [0],
				positions: wanted.map((_, i) => prompt.length - 1 + i),
				bias: this.#bias,
				extraIds: wanted,
			});
			return [...output.extraLogp];
		} finally {
			run.close();
		}
	}
}

function sum(values: readonly number[]): number {
	return values.reduce((total, value) => total + value, 0);
}

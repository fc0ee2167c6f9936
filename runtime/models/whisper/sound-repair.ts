/**
 * Finds hotwords that the search missed although the text holds something that sounds like them: "爆猫" for 豹猫. The search keeps only the likeliest
 * beginnings, which rarely include a rare character's. For a span of the text that sounds like a hotword, the decoder scores the hotword in its place, and
 * the hotword replaces the span if its score plus the bonus is higher.
 */
import type { SearchResult } from "../../search/beam-search.js";
import { sum } from "../../search/log-probability.js";
import type { SoundIndex } from "../../search/sound-alike.js";
import { syllablesOf } from "../../text/zh/pinyin.js";
import { simplifyCharacters } from "../../text/zh/simplify.js";
import type { Tensor } from "../inference-port.js";
import type { TextPiece } from "../writing/transcript.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** The hotwords that can be found by sound, and their bonus. */
export interface HotwordSounds {
	readonly index: SoundIndex;
	readonly writings: readonly string[];
	/** Bonus per character of a hotword that matches by sound. */
	readonly nats: number;
}

export interface RepairContext {
	readonly cross: Readonly<Record<string, Tensor>>;
	/** The tokens before the text. */
	readonly prompt: readonly number[];
	/** Number of settled tokens, which are not replaced. */
	readonly settled: number;
}

/** A span of the text, in tokens, and its possible replacement. */
interface RepairCandidate {
	readonly from: number;
	readonly to: number;
	readonly tokens: readonly number[];
	readonly bonus: number;
}

/** Candidates tried per segment; each costs about three steps of the search. */
const candidatesMax = 3;
/** In longer lists some word sounds similar to almost anything: only words that sound exactly the same are tried. */
const nearWordsMax = 1500;
/** A span likelier than this (natural logarithm, sum over its tokens) is not replaced. */
const sureLogp = -0.7;
/** Characters of a hotword that earn the bonus. */
const unitsMax = 3;
/** Factor on the bonus of a hotword that sounds exactly the same. */
const sameSoundFactor = 1.5;
/** Tokens after the span that are scored with it. */
const tokensAfter = 3;

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
		// from the end, so that earlier token indices stay valid
		for (const one of this.#candidates(found, context, sounds)) {
			const wanted = [
				...one.tokens,
				...tokens.slice(one.to, one.to + tokensAfter),
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

	/** The best candidates without overlaps, last in the text first. */
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
		/** Pieces that belong to a recognized hotword or to a candidate. */
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

	/** Log-probability of each of the wanted tokens, after `before`. */
	async #score(
		{ cross, prompt: start }: RepairContext,
		before: readonly number[],
		wanted: readonly number[],
	): Promise<readonly number[]> {
		const prompt = [...start, ...before];
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

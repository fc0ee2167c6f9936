/**
 * One segment from its features to its text, in order: encoder over a context fitted to it; which of two languages it is, where it may be either; beam search; a second look where it went in circles; the guards;
 * and what was found is written (segment-writer.ts).
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { whyNotSaid } from "../../search/guards.js";
import {
	compressionRatio,
	endsInEcho,
	withoutLoop,
} from "../../search/repetition.js";
import type { Hypothesis, Language } from "../recognizer.js";
import { mean } from "./confidence.js";
import type { WhisperDecoder } from "./decoder.js";
import type { Steps } from "./decoder-batch.js";
import type { EncodedSegment, WhisperEncoder } from "./encoder.js";
import {
	type HeardSegment,
	languageTokenOf,
	type SegmentSound,
} from "./heard-segment.js";
import type { HotwordBiases } from "./hotword-bias.js";
import {
	LanguageIdentification,
	type Spoken,
} from "./language-identification.js";
import { type FoundTokens, SegmentSearch } from "./segment-search.js";
import { SegmentWriter } from "./segment-writer.js";
import { type Heard, SoundRepair } from "./sound-repair.js";
import type { WhisperTokenizer } from "./tokenizer.js";

/** Whisper's own bound: more repeats itself. */
const compressionRatioMax = 2.4;

/** How much the encoder hears, in seconds: the segment and silence behind it. */
export interface Contexts {
	readonly first: number;
	/** Of a second look; a first one that heard as much stands. */
	readonly second: number;
}

/** A segment's sound, encoded, and a decoder over it. */
export interface Voice {
	readonly encoded: EncodedSegment;
	readonly run: Steps;
	readonly spoken: Spoken;
}

interface Attempt {
	readonly encoded: EncodedSegment;
	readonly found: FoundTokens;
	readonly repeats: boolean;
	/** It may have said the same twice. */
	readonly echoes: boolean;
}

export class SegmentHearing {
	readonly languages: LanguageIdentification;
	private readonly search: SegmentSearch;
	private readonly repair: SoundRepair;
	private readonly writer: SegmentWriter;

	constructor(
		private readonly encoder: WhisperEncoder,
		private readonly decoder: WhisperDecoder,
		private readonly tokenizer: WhisperTokenizer,
		private readonly biases: HotwordBiases,
	) {
		this.languages = new LanguageIdentification(decoder);
		this.search = new SegmentSearch(decoder);
		this.repair = new SoundRepair(decoder, tokenizer);
		this.writer = new SegmentWriter(decoder, tokenizer);
	}

	/** @param voice of the first attempt, where it is there already. */
	async hear(
		sound: SegmentSound,
		contexts: Contexts,
		voice?: Voice,
	): Promise<Hypothesis | "cancelled"> {
		if (sound.request.cancelled?.()) {
			voice?.encoded.dispose();
			return "cancelled";
		}
		const first = voice ?? (await this.voiceOf(sound, contexts.first));
		const { language, told } = first.spoken;
		if (sound.request.languageOnly) {
			first.run.close();
			first.encoded.dispose();
			return { ...nothing([]), ...told };
		}
		const heard = { ...withoutOtherPrefix(sound, told.spokenIn), language };
		const found = await this.attempts(heard, contexts, first);
		return found === "cancelled" ? found : { ...found, ...told };
	}

	/** The second one only when the first went in circles. */
	private async attempts(
		heard: HeardSegment,
		contexts: Contexts,
		first: Voice,
	): Promise<Hypothesis | "cancelled"> {
		let attempt = await this.attempt(heard, first);
		if (attempt === "cancelled") return attempt;
		if (attempt.repeats && heard.request.open) {
			// more of it is heard soon: sooner than a second attempt would be done
			attempt.encoded.dispose();
			return nothing(["repetition: more is waited for"]);
		}
		const isDoubtful =
			attempt.repeats || (attempt.echoes && !heard.request.open);
		if (isDoubtful && contexts.first < contexts.second) {
			heard.guards.push("repetition: heard again with a wider context");
			attempt.encoded.dispose();
			if (heard.request.cancelled?.()) return "cancelled";
			const { features } = heard;
			const encoded = await this.encoder.encode(features, contexts.second);
			const run = this.decoder.begin(encoded.cross);
			attempt = await this.attempt(heard, { encoded, run });
			if (attempt === "cancelled") return attempt;
		}
		try {
			return await this.conclude(heard, attempt);
		} finally {
			attempt.encoded.dispose();
		}
	}

	private async attempt(
		heard: HeardSegment,
		{ encoded, run }: Pick<Voice, "encoded" | "run">,
	): Promise<Attempt | "cancelled"> {
		const { request, language } = heard;
		const cancelled = request.cancelled ?? (() => false);
		try {
			const prefix = request.prefixTokens ?? [];
			const languageToken = languageTokenOf(this.decoder.shape, language);
			const found = await this.search.find({
				run,
				languageToken,
				prefix,
				beam: request.beam,
				seconds: request.samples.length / sampleRateHz,
				biasing:
					request.hotwords &&
					this.biases.biasFor(request.hotwords, language, prefix),
				cancelled,
			});
			if (found === "cancelled") {
				encoded.dispose();
				return found;
			}
			const text = this.tokenizer.decode(found.tokens);
			const repeats =
				found.why === "loop" || compressionRatio(text) > compressionRatioMax;
			const { cross } = encoded;
			const settled = prefix.length;
			return {
				encoded,
				found: repeats
					? found
					: await this.correct(heard, found, { cross, languageToken, settled }),
				repeats,
				echoes: endsInEcho(text),
			};
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	private async voiceOf(
		sound: SegmentSound,
		contextSeconds: number,
	): Promise<Voice> {
		const encoded = await this.encoder.encode(sound.features, contextSeconds);
		try {
			const spoken = await this.languages.identify(sound, encoded);
			return { encoded, spoken, run: this.decoder.begin(encoded.cross) };
		} catch (error) {
			encoded.dispose();
			throw error;
		}
	}

	/** Hotwords that only their sound gives away, and the spelling of those that were heard. */
	private async correct(
		{ request: { hotwords }, language }: HeardSegment,
		found: FoundTokens,
		heard: Heard,
	): Promise<FoundTokens> {
		if (hotwords === undefined || found.why !== "end") return found;
		const sounds = this.biases.soundsFor(hotwords, language);
		const repaired = sounds
			? await this.repair.repair(found, heard, sounds)
			: found;
		return this.biases
			.spellingFor(hotwords, language)
			.respell(repaired, heard.settled, this.tokenizer);
	}

	/** The guards' verdict on what was found, and the text as it is written. */
	private async conclude(
		heard: HeardSegment,
		{ encoded, found, repeats }: Attempt,
	): Promise<Hypothesis | "cancelled"> {
		const { request, guards, swingDb } = heard;
		const tokens = withoutLoop(found.tokens);
		const verdict = whyNotSaid({
			text: this.tokenizer.decode(tokens),
			noSpeech: found.noSpeech,
			meanLogp: mean(found.logp),
			repeats,
			...(request.voice && { voice: { ...request.voice, swingDb } }),
			open: request.open ?? false,
		});
		if (verdict !== undefined) return nothing([...guards, verdict]);
		if (tokens.length < found.tokens.length) guards.push("repetition: cut");
		if (request.cancelled?.()) return "cancelled";
		const written = await this.writer.write(heard, encoded, found, tokens);
		return { ...written, tokens, guards };
	}
}

/** Tokens that settled while another language was presumed are not what was said. */
function withoutOtherPrefix(
	sound: SegmentSound,
	spokenIn: Language | undefined,
): SegmentSound {
	const { prefixTokens: _, ...request } = sound.request;
	const { presumedIn } = request;
	const isOther = presumedIn !== undefined && spokenIn !== presumedIn;
	return isOther ? { ...sound, request } : sound;
}

/** @param guards why. */
export function nothing(guards: readonly string[]): Hypothesis {
	return { text: "", tokens: [], confidence: 0, words: [], guards };
}

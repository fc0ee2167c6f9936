/**
 * Whisper as a speech recognizer: one segment of speech in, its text, words and confidence out. What happens to a segment, in order: is it sound that
 * can be speech at all; features; encoder over a context fitted to it; beam search; the guards; and what was found is written (segment-writer.ts).
 */
import { hopSize, sampleRateHz } from "../../features/log-mel.js";
import { frameLevels, whyNotSpeech } from "../../features/sound.js";
import { whyNotSaid } from "../../search/guards.js";
import {
	compressionRatio,
	endsInEcho,
	withoutLoop,
} from "../../search/repetition.js";
import type { InferencePort } from "../inference-port.js";
import type { WhisperShape } from "../manifest.js";
import type {
	HotwordOptions,
	Hypothesis,
	Language,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { mean } from "./confidence.js";
import { CrossShelf } from "./cross-shelf.js";
import { WhisperDecoder } from "./decoder.js";
import { DecoderBatch, type Steps } from "./decoder-batch.js";
import {
	contextFor,
	contextSecondsMax,
	type EncodedSegment,
	sharedContextFor,
	WhisperEncoder,
} from "./encoder.js";
import {
	type HeardSegment,
	languageTokenOf,
	promptLanguage,
} from "./heard-segment.js";
import { HotwordBiases } from "./hotword-bias.js";
import { type FoundTokens, SegmentSearch } from "./segment-search.js";
import { SegmentWriter } from "./segment-writer.js";
import { type Heard, SoundRepair } from "./sound-repair.js";
import { WhisperTokenizer } from "./tokenizer.js";

/** What a package of kind `whisper` gives a recognizer. */
export interface WhisperPackage {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly shape: WhisperShape;
	readonly encoderPath: string;
	readonly decoderPath: string;
	/** Contents of the tokenizer's file: lines of `<base64> <rank>`. */
	readonly ranks: string;
}

export interface WhisperOptions {
	/** Threads inside one operator; 0: as many as there are cores. */
	readonly threads: number;
}

/** Segments that step through the decoder together: more of them are hardly cheaper each, */
const togetherMax = 8;
/** and what they look at takes memory. */
const shelfBytesMax = 192 * 1024 * 1024;
/** Whisper's own bound: more repeats itself. */
const compressionRatioMax = 2.4;

export async function openWhisper(
	port: InferencePort,
	source: WhisperPackage,
	options: WhisperOptions,
): Promise<SpeechRecognizer> {
	const encoder = await port.open(source.encoderPath, options);
	const decoder = await port.open(source.decoderPath, options);
	const { name, languages, shape } = source;
	return new WhisperRecognizer(
		name,
		languages,
		new WhisperEncoder(port, encoder, shape),
		new WhisperDecoder(port, decoder, shape),
		new WhisperTokenizer(source.ranks),
		port,
		async () => {
			await encoder.close();
			await decoder.close();
		},
	);
}

/** A segment's sound, encoded, and a decoder over it. */
interface Voice {
	readonly encoded: EncodedSegment;
	readonly run: Steps;
}

interface Attempt {
	readonly encoded: EncodedSegment;
	readonly found: FoundTokens;
	readonly repeats: boolean;
	/** It may have said the same twice. */
	readonly echoes: boolean;
}

class WhisperRecognizer implements SpeechRecognizer {
	private readonly search: SegmentSearch;
	private readonly biases: HotwordBiases;
	private readonly repair: SoundRepair;
	private readonly writer: SegmentWriter;
	private readonly shelf: CrossShelf;

	constructor(
		readonly name: string,
		readonly languages: readonly Language[],
		private readonly encoder: WhisperEncoder,
		private readonly decoder: WhisperDecoder,
		private readonly tokenizer: WhisperTokenizer,
		port: InferencePort,
		readonly close: () => Promise<void>,
	) {
		this.search = new SegmentSearch(decoder);
		this.biases = new HotwordBiases(tokenizer, decoder.shape);
		this.repair = new SoundRepair(decoder, tokenizer);
		this.writer = new SegmentWriter(decoder, tokenizer);
		this.shelf = new CrossShelf(port, decoder.shape);
	}

	preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		return this.biases.preparing(hotwords, promptLanguage[language]);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const heard = this.listen(request);
		if ("text" in heard) return heard;
		return this.hear(
			heard,
			contextFor(secondsOf(heard), request.open ?? false),
		);
	}

	/** Those of about one length step through the decoder together. */
	async recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const results = new Map<SegmentRequest, Hypothesis | "cancelled">();
		const speech: HeardSegment[] = [];
		for (const request of requests) {
			const heard = this.listen(request);
			if ("text" in heard) results.set(request, heard);
			else speech.push(heard);
		}
		for (const [context, group] of this.groupsOf(speech)) {
			const found = await this.hearTogether(group, context);
			group.forEach(({ request }, i) => {
				results.set(request, found[i] ?? "cancelled");
			});
		}
		return requests.map((request) => results.get(request) ?? "cancelled");
	}

	/** @returns nothing said, where it can't be speech. */
	private listen(request: SegmentRequest): HeardSegment | Hypothesis {
		const { samples } = request;
		if (samples.length > contextSecondsMax * sampleRateHz)
			throw new RangeError(`a segment has at most ${contextSecondsMax} s`);
		const features = this.encoder.features(samples);
		const frames = Math.floor(samples.length / hopSize);
		const { mels } = this.decoder.shape;
		const levels = frameLevels(features.subarray(0, frames * mels), mels);
		const silent = whyNotSpeech(levels);
		if (silent !== undefined) return nothing([silent]);
		return {
			request,
			language: promptLanguage[request.language],
			features,
			frames,
			guards: [],
		};
	}

	/** By context, longest first; the longest of one context together, because who ends early leaves the others alone. */
	private groupsOf(
		speech: readonly HeardSegment[],
	): (readonly [context: number, group: readonly HeardSegment[]])[] {
		const sorted = speech.toSorted((a, b) => secondsOf(b) - secondsOf(a));
		const groups: [number, HeardSegment[]][] = [];
		for (const heard of sorted) {
			const context = sharedContextFor(secondsOf(heard));
			const last = groups.at(-1);
			const room = Math.min(
				togetherMax,
				Math.floor(shelfBytesMax / this.shelf.bytesOf(context * 50)),
			);
			if (last && last[0] === context && last[1].length < room)
				last[1].push(heard);
			else groups.push([context, [heard]]);
		}
		return groups;
	}

	private async hearTogether(
		group: readonly HeardSegment[],
		context: number,
	): Promise<(Hypothesis | "cancelled")[]> {
		const { shelf } = this;
		const [only] = group;
		if (only && group.length === 1) return [await this.hear(only, context)];
		shelf.clear(group.length, context * 50);
		for (const [place, { features, request }] of group.entries()) {
			if (request.cancelled?.()) return group.map(() => "cancelled");
			const { cross, dispose } = await this.encoder.encode(features, context);
			shelf.put(place, cross);
			dispose();
		}
		const batch = new DecoderBatch(this.decoder, shelf, group.length);
		const heard = batch.members.map((member, place) => {
			const encoded = {
				get cross() {
					return batch.crossOf(member);
				},
				positions: context * 50,
				dispose: () => member.leave(),
			};
			const voice = { encoded, run: member };
			return this.hear(group[place] as HeardSegment, context, voice);
		});
		return Promise.all(heard);
	}

	/** Attempts, the second one only when the first went in circles. @param voice of the first, where it is there already. */
	private async hear(
		heard: HeardSegment,
		context: number,
		voice?: Voice,
	): Promise<Hypothesis | "cancelled"> {
		let attempt = await this.attempt(heard, context, voice);
		if (attempt === "cancelled") return attempt;
		if (attempt.repeats && heard.request.open) {
			// more of it is heard soon: sooner than a second attempt would be done
			attempt.encoded.dispose();
			return nothing(["repetition: more is waited for"]);
		}
		const isDoubtful =
			attempt.repeats || (attempt.echoes && !heard.request.open);
		if (isDoubtful && context < contextSecondsMax) {
			heard.guards.push("repetition: heard again with the full context");
			attempt.encoded.dispose();
			attempt = await this.attempt(heard, contextSecondsMax);
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
		contextSeconds: number,
		voice?: Voice,
	): Promise<Attempt | "cancelled"> {
		const { request, language } = heard;
		const cancelled = request.cancelled ?? (() => false);
		if (cancelled()) {
			voice?.encoded.dispose();
			return "cancelled";
		}
		const { encoded, run } =
			voice ?? (await this.voiceOf(heard, contextSeconds));
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
		{ features }: HeardSegment,
		contextSeconds: number,
	): Promise<Voice> {
		const encoded = await this.encoder.encode(features, contextSeconds);
		return { encoded, run: this.decoder.begin(encoded.cross) };
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
		const { request, guards } = heard;
		const tokens = withoutLoop(found.tokens);
		const verdict = whyNotSaid({
			text: this.tokenizer.decode(tokens),
			noSpeech: found.noSpeech,
			meanLogp: mean(found.logp),
			repeats,
			open: request.open ?? false,
		});
		if (verdict !== undefined) return nothing([...guards, verdict]);
		if (tokens.length < found.tokens.length) guards.push("repetition: cut");
		if (request.cancelled?.()) return "cancelled";
		const written = await this.writer.write(heard, encoded, found, tokens);
		return { ...written, tokens, guards };
	}
}

function secondsOf({ request }: HeardSegment): number {
	return request.samples.length / sampleRateHz;
}

function nothing(guards: readonly string[]): Hypothesis {
	return { text: "", tokens: [], confidence: 0, words: [], guards };
}

/**
 * Whisper as a speech recognizer: segments of speech in, their texts, words and confidence out, one by one or several together. What happens to a segment:
 * is it sound that can be speech at all; features; and then it is heard (segment-hearing.ts).
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import { hopSize } from "../../features/log-mel.js";
import { frameLevels, swingDb, whyNotSpeech } from "../../features/sound.js";
import type {
	InferencePort,
	ProcessorChoice,
	ProcessorProbe,
	WantedProcessor,
} from "../inference-port.js";
import type {
	Capabilities,
	HotwordOptions,
	Hypothesis,
	Language,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { pairOf } from "../spoken-languages.js";
import { CrossShelf } from "./cross-shelf.js";
import { WhisperDecoder } from "./decoder.js";
import { DecoderBatch } from "./decoder-batch.js";
import {
	contextFor,
	contextSecondsMax,
	secondContextFor,
	sharedContextFor,
	WhisperEncoder,
} from "./encoder.js";
import { promptLanguageOf, type SegmentSound } from "./heard-segment.js";
import { HotwordBiases } from "./hotword-bias.js";
import type { Spoken } from "./language-identification.js";
import { decoderProbe, encoderProbe } from "./processor-probes.js";
import { type Contexts, nothing, SegmentHearing } from "./segment-hearing.js";
import type { WhisperShape } from "./shape.js";
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
	/** Besides the CPU; the CPU where left out. */
	readonly processor?: WantedProcessor;
}

/** Segments that step through the decoder together: more of them are hardly cheaper each, */
const togetherMax = 8;
/** and what they look at takes memory. */
const shelfBytesMax = 192 * 1024 * 1024;
const positionsPerSecond = 50;

export async function openWhisper(
	port: InferencePort,
	source: WhisperPackage,
	options: WhisperOptions,
): Promise<SpeechRecognizer> {
	const { name, languages, shape } = source;
	const { threads, processor: wanted = "cpu" } = options;
	const open = (path: string, probe: ProcessorProbe) =>
		port.open(path, { threads, processor: { wanted, probe } });
	const encoder = await open(source.encoderPath, encoderProbe(shape));
	const decoder = await open(source.decoderPath, decoderProbe(shape));
	return new WhisperRecognizer(
		name,
		languages,
		new WhisperEncoder(port, encoder, shape),
		new WhisperDecoder(port, decoder, shape),
		new WhisperTokenizer(source.ranks),
		port,
		[encoder, decoder].flatMap(({ choice }) => choice ?? []),
		async () => {
			await encoder.close();
			await decoder.close();
		},
	);
}

export const whisperCapabilities: Capabilities = {
	search: "beam search",
	hotwords: true,
	wordTimes: true,
	punctuation: true,
	streaming: false,
	guards: ["inaudible", "steady", "doubt", "repetition", "hallucination"],
};

class WhisperRecognizer implements SpeechRecognizer {
	readonly capabilities = whisperCapabilities;
	private readonly biases: HotwordBiases;
	private readonly hearing: SegmentHearing;
	private readonly shelf: CrossShelf;
	/** The shelf holds one batch, so who comes meanwhile waits: two at once would look at each other's sound. */
	private batchOver: Promise<unknown> = Promise.resolve();

	constructor(
		readonly name: string,
		readonly languages: readonly Language[],
		private readonly encoder: WhisperEncoder,
		private readonly decoder: WhisperDecoder,
		tokenizer: WhisperTokenizer,
		port: InferencePort,
		readonly processors: readonly ProcessorChoice[],
		readonly close: () => Promise<void>,
	) {
		this.biases = new HotwordBiases(tokenizer, decoder.shape);
		this.hearing = new SegmentHearing(encoder, decoder, tokenizer, this.biases);
		this.shelf = new CrossShelf(port, decoder.shape);
	}

	*preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		for (const one of pairOf(language) ?? [language])
			yield* this.biases.preparing(hotwords, promptLanguageOf(one));
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const heard = this.listen(request);
		if ("text" in heard) return heard;
		return this.hearing.hear(heard, {
			first: contextFor(secondsOf(request), request.open ?? false),
			second: contextSecondsMax,
		});
	}

	/** The first and those nearest to it in length, which end at about the same time. */
	nextBatch(
		waiting: readonly SegmentRequest[],
		sideBySide: number,
	): SegmentRequest[] {
		const [first] = waiting;
		if (!first) return [];
		const apart = (it: SegmentRequest) =>
			Math.abs(it.samples.length - first.samples.length);
		const nearest = waiting.slice(1).sort((a, b) => apart(a) - apart(b));
		const most = this.togetherOf(waiting.length, sideBySide);
		const batch = [first];
		for (const request of nearest)
			if (batch.length < most && this.mayJoin(request, batch))
				batch.push(request);
		return batch;
	}

	/** Full batches, but towards the end smaller ones: nobody is to be left with a full one when the others are done. */
	private togetherOf(count: number, sideBySide: number): number {
		if (!this.decoder.hearsUnequal) return togetherMax;
		return Math.min(togetherMax, Math.ceil(count / sideBySide));
	}

	recognizeAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const all = this.batchOver.then(() => this.hearAll(requests));
		this.batchOver = all.catch(() => {});
		return all;
	}

	private async hearAll(
		requests: readonly SegmentRequest[],
	): Promise<readonly (Hypothesis | "cancelled")[]> {
		const results = new Map<SegmentRequest, Hypothesis | "cancelled">();
		for (const group of this.groupsOf(requests)) {
			const speech: SegmentSound[] = [];
			for (const request of group) {
				const heard = this.listen(request);
				if ("text" in heard) results.set(request, heard);
				else speech.push(heard);
			}
			const found = await this.hearTogether(speech);
			speech.forEach(({ request }, i) => {
				results.set(request, found[i] ?? "cancelled");
			});
		}
		return requests.map((request) => results.get(request) ?? "cancelled");
	}

	/** @returns nothing said, where it can't be speech. */
	private listen(request: SegmentRequest): SegmentSound | Hypothesis {
		const { samples } = request;
		if (samples.length > contextSecondsMax * sampleRateHz)
			throw new RangeError(`a segment has at most ${contextSecondsMax} s`);
		const features = this.encoder.features(samples);
		const frames = Math.floor(samples.length / hopSize);
		const { mels } = this.decoder.shape;
		const levels = frameLevels(features.subarray(0, frames * mels), mels);
		const silent = whyNotSpeech(levels);
		if (silent !== undefined) return nothing([silent]);
		return { request, features, frames, swingDb: swingDb(levels), guards: [] };
	}

	/** Longest first, those of about one length together, because who ends early leaves the others alone. */
	private groupsOf(requests: readonly SegmentRequest[]): SegmentRequest[][] {
		const sorted = requests.toSorted((a, b) => secondsOf(b) - secondsOf(a));
		const groups: SegmentRequest[][] = [];
		for (const request of sorted) {
			const last = groups.at(-1);
			if (last && this.mayJoin(request, last)) last.push(request);
			else groups.push([request]);
		}
		return groups;
	}

	private mayJoin(
		request: SegmentRequest,
		others: readonly SegmentRequest[],
	): boolean {
		const contexts = [request, ...others].map((it) => this.contextOf(it));
		const context = Math.max(...contexts);
		const equal = context === Math.min(...contexts);
		const bytes = this.shelf.bytesOf(context * positionsPerSecond);
		const room = Math.min(togetherMax, Math.floor(shelfBytesMax / bytes));
		return others.length < room && (equal || this.decoder.hearsUnequal);
	}

	/** The same whoever else is in the batch. */
	private contextOf(request: SegmentRequest): number {
		const seconds = secondsOf(request);
		return this.decoder.hearsUnequal
			? contextFor(seconds, false)
			: sharedContextFor(seconds);
	}

	private async hearTogether(
		group: readonly SegmentSound[],
	): Promise<(Hypothesis | "cancelled")[]> {
		const { shelf } = this;
		const contexts = group.map(({ request }) => {
			const first = this.contextOf(request);
			return { first, second: secondContextFor(first) };
		});
		const [only] = group;
		if (!only) return [];
		if (group.length === 1)
			return [await this.hearing.hear(only, contexts[0] as Contexts)];
		const longest = Math.max(...contexts.map(({ first }) => first));
		shelf.clear(group.length, longest * positionsPerSecond);
		const languages: Spoken[] = [];
		for (const [place, sound] of group.entries()) {
			if (sound.request.cancelled?.()) return group.map(() => "cancelled");
			const { first } = contexts[place] as Contexts;
			const encoded = await this.encoder.encode(sound.features, first);
			languages.push(await this.hearing.languages.identify(sound, encoded));
			shelf.put(place, encoded.cross, encoded.positions);
			encoded.dispose();
		}
		const batch = new DecoderBatch(this.decoder, shelf, group.length);
		const heard = batch.members.map((member, place) => {
			const encoded = {
				get cross() {
					return batch.crossOf(member);
				},
				positions: longest * positionsPerSecond,
				dispose: () => member.leave(),
			};
			const spoken = languages[place] as Spoken;
			const voice = { encoded, run: member, spoken };
			const own = group[place] as SegmentSound;
			return this.hearing.hear(own, contexts[place] as Contexts, voice);
		});
		await Promise.allSettled(heard); // one that fails must not leave the others on the next batch's shelf
		return Promise.all(heard);
	}
}

function secondsOf({ samples }: SegmentRequest): number {
	return samples.length / sampleRateHz;
}

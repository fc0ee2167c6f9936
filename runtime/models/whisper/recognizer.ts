/**
 * Whisper as a speech recognizer: segments of speech in, their texts, words and confidence out, one by one or several together. What happens to a segment:
 * is it sound that can be speech at all; features; and then it is heard (segment-hearing.ts).
 */
import { hopSize, sampleRateHz } from "../../features/log-mel.js";
import { frameLevels, whyNotSpeech } from "../../features/sound.js";
import type {
	InferencePort,
	ProcessorChoice,
	ProcessorProbe,
	WantedProcessor,
} from "../inference-port.js";
import type { WhisperShape } from "../manifest.js";
import type {
	Capabilities,
	HotwordOptions,
	Hypothesis,
	Language,
	SegmentRequest,
	SpeechRecognizer,
} from "../recognizer.js";
import { CrossShelf } from "./cross-shelf.js";
import { WhisperDecoder } from "./decoder.js";
import { DecoderBatch } from "./decoder-batch.js";
import {
	contextFor,
	contextSecondsMax,
	sharedContextFor,
	sharedSecondContextFor,
	WhisperEncoder,
} from "./encoder.js";
import { type HeardSegment, promptLanguage } from "./heard-segment.js";
import { HotwordBiases } from "./hotword-bias.js";
import { decoderProbe, encoderProbe } from "./processor-probes.js";
import { nothing, SegmentHearing } from "./segment-hearing.js";
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

	preparing(hotwords: HotwordOptions, language: Language): Iterable<void> {
		return this.biases.preparing(hotwords, promptLanguage[language]);
	}

	async recognize(request: SegmentRequest): Promise<Hypothesis | "cancelled"> {
		const heard = this.listen(request);
		if ("text" in heard) return heard;
		return this.hearing.hear(heard, {
			first: contextFor(secondsOf(request), request.open ?? false),
			second: contextSecondsMax,
		});
	}

	/** Those of about one length, which step through the decoder together. */
	batches(requests: readonly SegmentRequest[]): SegmentRequest[][] {
		return this.groupsOf(requests).map(([, group]) => group);
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
		for (const [context, group] of this.groupsOf(requests)) {
			const speech: HeardSegment[] = [];
			for (const request of group) {
				const heard = this.listen(request);
				if ("text" in heard) results.set(request, heard);
				else speech.push(heard);
			}
			const found = await this.hearTogether(speech, context);
			speech.forEach(({ request }, i) => {
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
		requests: readonly SegmentRequest[],
	): [context: number, group: SegmentRequest[]][] {
		const sorted = requests.toSorted((a, b) => secondsOf(b) - secondsOf(a));
		const groups: [number, SegmentRequest[]][] = [];
		for (const request of sorted) {
			const context = sharedContextFor(secondsOf(request));
			const last = groups.at(-1);
			const room = Math.min(
				togetherMax,
				Math.floor(shelfBytesMax / this.shelf.bytesOf(context * 50)),
			);
			if (last && last[0] === context && last[1].length < room)
				last[1].push(request);
			else groups.push([context, [request]]);
		}
		return groups;
	}

	private async hearTogether(
		group: readonly HeardSegment[],
		context: number,
	): Promise<(Hypothesis | "cancelled")[]> {
		const { shelf } = this;
		const [only] = group;
		if (!only) return [];
		const contextsOf = ({ request }: HeardSegment) => ({
			first: context,
			second: sharedSecondContextFor(secondsOf(request)),
		});
		if (group.length === 1)
			return [await this.hearing.hear(only, contextsOf(only))];
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
			const own = group[place] as HeardSegment;
			return this.hearing.hear(own, contextsOf(own), voice);
		});
		await Promise.allSettled(heard); // one that fails must not leave the others on the next batch's shelf
		return Promise.all(heard);
	}
}

function secondsOf({ samples }: SegmentRequest): number {
	return samples.length / sampleRateHz;
}

/**
 * Recognizes the syllables of Chinese speech beside a recognizer of text ("second ear"): it follows the same audio, and tells which syllables it found and
 * how likely others are.
 *
 * INVARIANT: following an open segment does not change its evidence (streaming/segment-stream.ts).
 */
import { sampleRateHz } from "../../audio/sample-rate.js";
import type { JointWeights } from "../../search/lattice/joint-score.js";
import type { SyllableEvidence } from "../../search/lattice/syllables.js";
import type { Language } from "../../text/languages.js";
import type { InferencePort } from "../inference-port.js";
import type { KeywordSpotter, SpottedPhrase } from "../keyword-spotter.js";
import { ModelFault } from "../model-fault.js";
import {
	framesOf,
	SegmentStream,
	secondsPerEncodedFrame,
} from "../streaming/segment-stream.js";
import type { FollowedSegment, SecondEar } from "../syllable-recognizer.js";
import { type BeamHypothesis, emittedBy } from "../transducer/beam.js";
import { TransducerSearch } from "../transducer/streaming-search.js";
import {
	openZipformerGraphs,
	type ZipformerGraphs,
	type ZipformerSource,
} from "../zipformer/graphs.js";
import { evidenceOf } from "./evidence.js";
import { TransducerKeywordSpotter } from "./keyword-spotter.js";
import { PinyinSymbols } from "./pinyin-symbols.js";

export interface SecondEarPackage extends ZipformerSource {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly weights: JointWeights;
}

const beam = 8;
/** Less likely hypotheses cost time; on 30 clips dropping them changed no text. */
const within = 6;
/** Silence after a segment that has ended, so that its last syllable is found. */
const tailSeconds = 0.8;
/** 1.3 s: more would save little, and what is left of a segment at its end would take longer. */
const chunksTogether = 4;

/** @throws ModelFault when the graphs are not a syllable recognizer's. */
export async function openSecondEar(
	port: InferencePort,
	source: SecondEarPackage,
	options: { readonly threads: number },
): Promise<SecondEar> {
	const graphs = await openZipformerGraphs(port, source, options);
	const symbols = new PinyinSymbols(graphs.symbols, source.shape.vocabulary);
	const why = symbols.whyIncomplete;
	if (why === undefined) return new SyllableRecognizer(source, graphs, symbols);
	await graphs.close();
	throw new ModelFault(why);
}

type SyllableStream = SegmentStream<readonly BeamHypothesis[]>;

class SyllableRecognizer implements SecondEar {
	readonly name: string;
	readonly languages: readonly Language[];
	readonly weights: JointWeights;
	readonly #graphs: ZipformerGraphs;
	readonly #symbols: PinyinSymbols;
	readonly #open = new WeakMap<object, SyllableStream>();

	constructor(
		source: SecondEarPackage,
		graphs: ZipformerGraphs,
		symbols: PinyinSymbols,
	) {
		this.name = source.name;
		this.languages = source.languages;
		this.weights = source.weights;
		this.#graphs = graphs;
		this.#symbols = symbols;
	}

	close(): Promise<void> {
		return this.#graphs.close();
	}

	spotterOf(phrases: readonly SpottedPhrase[]): KeywordSpotter {
		return new TransducerKeywordSpotter(this.#graphs, this.#symbols, phrases);
	}

	async follow(request: FollowedSegment): Promise<void> {
		const { samples, segmentKey, cancelled } = request;
		if (segmentKey)
			await this.#streamOf(request).decode(samples, true, cancelled);
	}

	async evidence(
		request: FollowedSegment,
	): Promise<SyllableEvidence | undefined> {
		const { samples, cancelled } = request;
		const stream = this.#streamOf(request);
		const decoded = await stream.decode(samples, false, cancelled);
		if (decoded === "cancelled") return undefined;
		const { encoded, found: hypotheses } = decoded;
		const [best] = hypotheses;
		return evidenceOf(
			{
				emitted: best ? emittedBy(best) : [],
				frames: framesOf(decoded),
				count: encoded,
				secondsPerFrame: secondsPerEncodedFrame(decoded),
				seconds: samples.length / sampleRateHz,
			},
			this.#graphs.transducer,
			this.#symbols,
		);
	}

	#streamOf({ segmentKey }: FollowedSegment): SyllableStream {
		const known = segmentKey && this.#open.get(segmentKey);
		if (known) return known;
		const { fbank, encoder, transducer, silent } = this.#graphs;
		const search = new TransducerSearch(transducer, {
			beam,
			silent,
			within,
			bias: undefined,
		});
		const opened = new SegmentStream(fbank, encoder, search, {
			tailSeconds,
			chunksTogether,
			keepFrames: true,
		});
		if (segmentKey) this.#open.set(segmentKey, opened);
		return opened;
	}
}

/**
 * A Whisper whose decoder says what a script says, by the length of the context that it attends to. The recognizer is the real one. What its graphs return is
 * counted until it is disposed.
 */
import { HostTensor } from "../../drivers/onnx/host-tensor.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../../runtime/models/inference-port.js";
import type {
	SegmentRequest,
	SpeechRecognizer,
} from "../../runtime/models/recognizer.js";
import {
	decoderNames,
	encoderNames,
	topCount,
} from "../../runtime/models/whisper/graphs.js";
import { openWhisper } from "../../runtime/models/whisper/recognizer.js";

/** A word, which is one token, and its log-probability; "" ends the text. */
export type Scripted = readonly [word: string, logp: number];
/** By the seconds of the context; it ends, with certainty, where nothing is scripted. */
export type Script = Readonly<Record<number, readonly Scripted[]>>;

/** A token that is the first of a character's bytes, and no more. */
export const leadByte = "<0xE8>";
const vocabulary = [" I", " see", " nine", " ten", " so", " ha", leadByte];
const endOfText = vocabulary.length;
const promptTokens = 4;
const positionsPerSecond = 50;

const shape = {
	mels: 80,
	state: 1,
	heads: 1,
	encoderLayers: 1,
	decoderLayers: 1,
	vocabulary: endOfText + 8,
	alignmentHeads: 1,
	suppress: [],
	suppressFirst: [],
	languageTokens: { en: endOfText + 2 },
	special: {
		endOfText,
		startOfTranscript: endOfText + 1,
		transcribe: endOfText + 3,
		startOfPrevious: endOfText + 4,
		noSpeech: endOfText + 5,
		noTimestamps: endOfText + 6,
		firstTimestamp: endOfText + 7,
	},
};

export interface ScriptedWhisper {
	readonly recognizer: SpeechRecognizer;
	/** Outputs that were not disposed. */
	alive(): number;
}

/** @param watch told of each run before it happens; may throw. */
export async function scriptedWhisper(
	script: Script,
	watch: (
		graph: "encoder" | "decoder",
		contextSeconds: number,
	) => void = () => {},
): Promise<ScriptedWhisper> {
	const alive = new Set<Tensor>();
	const graph = (
		run: (feeds: Readonly<Record<string, Tensor>>) => Record<string, Tensor>,
	): InferenceSession => ({
		inputNames: [decoderNames.crossBias],
		inputs: [],
		outputNames: [],
		close: async () => {},
		run: async (feeds, fetches) => {
			const outputs = Object.entries(run(feeds));
			const wanted = outputs.filter(([name]) => fetches.includes(name));
			for (const [, tensor] of wanted) {
				alive.add(tensor);
				tensor.dispose = () => alive.delete(tensor);
			}
			return Object.fromEntries(wanted);
		},
	});
	const encoder = graph((feeds) => {
		const positions = (feeds[encoderNames.mel]?.dims[2] ?? 0) / 2;
		watch("encoder", positions / positionsPerSecond);
		return {
			cross_k_0: zeros([1, 1, 1, positions]),
			cross_v_0: zeros([1, 1, positions, 1]),
		};
	});
	const decoder = graph((feeds) => {
		const positions = feeds.cross_k_0?.dims[3] ?? 0;
		const seconds = positions / positionsPerSecond;
		watch("decoder", seconds);
		return decoded(feeds, positions, script[seconds] ?? []);
	});
	const port: InferencePort = {
		tensor: (...parts) => new HostTensor(...parts),
		open: async (path) => (path === "encoder" ? encoder : decoder),
	};
	const ranks = vocabulary.map(
		(word, rank) => `${bytesOf(word).toString("base64")} ${rank}`,
	);
	const recognizer = await openWhisper(
		port,
		{
			name: "scripted",
			languages: ["en-US"],
			shape,
			encoderPath: "encoder",
			decoderPath: "decoder",
			ranks: ranks.join("\n"),
		},
		{ threads: 1 },
	);
	return { recognizer, alive: () => alive.size };
}

/** One step: each row continues with the script's next word, and with nothing else. */
function decoded(
	feeds: Readonly<Record<string, Tensor>>,
	contextPositions: number,
	script: readonly Scripted[],
): Record<string, Tensor> {
	const [rows = 0, tokens = 0] = feeds[decoderNames.tokens]?.dims ?? [];
	const past = feeds.past_k_0?.dims[2] ?? 0;
	const scored = feeds[decoderNames.positions]?.data as Int32Array;
	const extra = feeds[decoderNames.extraIds]?.dims[2] ?? 0;
	const ids = new Int32Array(rows * scored.length * topCount);
	const logp = new Float32Array(ids.length).fill(Number.NEGATIVE_INFINITY);
	for (let i = 0; i < rows * scored.length; i++) {
		const at = past + (scored[i % scored.length] ?? 0) + 1 - promptTokens;
		const [word, likely] = script[at] ?? ["", 0];
		ids[i * topCount] = tokenOf(word);
		logp[i * topCount] = likely;
	}
	const best = [rows, scored.length, topCount];
	const unlikely = zeros([rows, scored.length, extra]);
	(unlikely.data as Float32Array).fill(-10);
	const attention = zeros([rows, 1, tokens, contextPositions]);
	(attention.data as Float32Array).fill(1 / contextPositions);
	return {
		[decoderNames.topIds]: new HostTensor("int32", ids, best),
		[decoderNames.topLogp]: new HostTensor("float32", logp, best),
		[decoderNames.extraLogp]: unlikely,
		[decoderNames.alignment]: attention,
		present_k_0: zeros([rows, 1, past + tokens, 1]),
		present_v_0: zeros([rows, 1, past + tokens, 1]),
	};
}

function zeros(dims: readonly number[]): HostTensor {
	const size = dims.reduce((product, dim) => product * dim, 1);
	return new HostTensor("float32", new Float32Array(size), dims);
}

function bytesOf(word: string): Buffer {
	return word === leadByte ? Buffer.of(0xe8) : Buffer.from(word);
}

export function tokenOf(word: string): number {
	return word === "" ? endOfText : vocabulary.indexOf(word);
}

/** Two seconds that may be speech: a tone that comes and goes. */
export const scriptedRequest: SegmentRequest = {
	samples: Float32Array.from({ length: 32_000 }, (_, n) =>
		n % 8000 < 4000 ? 0.3 * Math.sin((2 * Math.PI * 400 * n) / 16_000) : 0,
	),
	language: "en-US",
	beam: 3,
	punctuation: false,
	words: true,
};

/** All graphs of a model are open, or none is: a model that can't be used must not keep its memory. */
import t from "tap";
import { openCampplus } from "../../runtime/models/campplus/embedder.js";
import { openCtcModel } from "../../runtime/models/ctc/recognizer.js";
import type {
	InferencePort,
	InferenceSession,
} from "../../runtime/models/inference-port.js";
import { ModelFault } from "../../runtime/models/model-fault.js";
import { openParaformerModel } from "../../runtime/models/paraformer/recognizer.js";
import { openSenseVoice } from "../../runtime/models/sense-voice/recognizer.js";
import { openSilero } from "../../runtime/models/silero/detector.js";
import { openSegmentation } from "../../runtime/models/speech-segmentation/network.js";
import { openTransducerModel } from "../../runtime/models/transducer/recognizer.js";

const options = { threads: 1 };
const tokens = "<blk> 0\n<unk> 1\na 2\n";
const modelPath = "model";
const transducer = {
	encoderPath: "encoder",
	decoderPath: "decoder",
	joinerPath: "joiner",
	tokens,
	shape: { mels: 80, contextSize: 2, vocabulary: 3 },
};
const stacked = {
	windowFrames: 1,
	hopFrames: 1,
	vocabulary: 3,
	negativeMean: new Array(80).fill(0),
	inverseDeviation: new Array(80).fill(1),
};
const senseVoice = {
	...stacked,
	languageIds: { auto: 0, zh: 3, en: 4, ja: 11 },
	sixteenBit: true,
	withMarks: 14,
	withoutMarks: 15,
};
const ctc = {
	toolkit: "icefall",
	mels: 80,
	subsampling: 4,
	perFeature: false,
} as const;
const named = { name: "sense-voice", languages: [] };

/** Graphs without inputs and outputs. @param missing a file that is not there */
function portWithout(missing?: string) {
	const open = new Set<string>();
	const port = {
		filterbank: undefined,
		open: async (path: string) => {
			if (path === missing) throw new ModelFault(`${path} is missing`);
			open.add(path);
			return {
				inputNames: [],
				outputNames: [],
				close: async () => {
					open.delete(path);
				},
			} as unknown as InferenceSession;
		},
	} as unknown as InferencePort;
	return { port, open };
}

type Opens = (port: InferencePort) => Promise<unknown>;

const opensTransducer: Opens = (port) =>
	openTransducerModel(port, transducer, options);

const models: readonly [what: string, opens: Opens, message: RegExp][] = [
	["a transducer", opensTransducer, /the encoder is another graph/],
	[
		"CTC",
		(port) => openCtcModel(port, { shape: ctc, tokens, modelPath }, options),
		/the model is another graph/,
	],
	[
		"Paraformer",
		(port) =>
			openParaformerModel(port, { shape: stacked, tokens, modelPath }, options),
		/the model is another graph/,
	],
	[
		"SenseVoice",
		(port) =>
			openSenseVoice(
				port,
				{ ...named, shape: senseVoice, tokens, modelPath },
				options,
			),
		/model is not SenseVoice: it has no input x/,
	],
	[
		"CAM++",
		(port) =>
			openCampplus(
				port,
				{ path: modelPath, dimensions: 192, windowSecondsMax: 2 },
				options,
			),
		/model is not CAM\+\+: it has no input wav/,
	],
	[
		"Silero VAD",
		(port) => openSilero(port, modelPath),
		/model is not Silero VAD: it has no input input/,
	],
	[
		"a speech segmentation",
		(port) => openSegmentation(port, modelPath),
		/model is not a speech segmentation: it has no input wav/,
	],
];

for (const [what, opens, message] of models)
	t.test(
		`${what}, where the graph does not fit: nothing stays open`,
		async (t) => {
			const { port, open } = portWithout();
			await t.rejects(opens(port), { message });
			t.strictSame([...open], []);
		},
	);

t.test("a transducer without a joiner: nothing stays open", async (t) => {
	const { port, open } = portWithout("joiner");
	await t.rejects(opensTransducer(port), { message: /joiner is missing/ });
	t.strictSame([...open], []);
});

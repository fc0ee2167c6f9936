/** A transducer's three graphs are open together, or none is: a model that can't be used must not keep its memory. */
import t from "tap";
import type {
	InferencePort,
	InferenceSession,
} from "../../runtime/models/inference-port.js";
import { ModelFault } from "../../runtime/models/model-fault.js";
import { openTransducerModel } from "../../runtime/models/transducer/recognizer.js";

const source = {
	...{ encoderPath: "encoder", decoderPath: "decoder", joinerPath: "joiner" },
	tokens: "<blk> 0\n<unk> 1\na 2\n",
	shape: { mels: 80, contextSize: 2, vocabulary: 3 },
};

/** Graphs without inputs and outputs. @param missing a file that is not there */
function portWithout(missing?: string) {
	const open = new Set<string>();
	const port = {
		filterbank: undefined,
		open: async (path: string) => {
			if (path === missing) throw new ModelFault(`${path} is missing`);
			open.add(path);
			return {
				...{ inputNames: [], outputNames: [] },
				close: async () => {
					open.delete(path);
				},
			} as unknown as InferenceSession;
		},
	} as unknown as InferencePort;
	return { port, open };
}

for (const [what, missing, message] of [
	["a graph that does not fit", undefined, /the encoder/],
	["a joiner that can't be opened", "joiner", /joiner is missing/],
] as const)
	t.test(`${what}: nothing stays open`, async (t) => {
		const { port, open } = portWithout(missing);
		await t.rejects(openTransducerModel(port, source, { threads: 1 }), {
			message,
		});
		t.strictSame([...open], []);
	});

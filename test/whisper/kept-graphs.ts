/**
 * The real port of the tests of a process, which opens each graph once: a graph has no state, and opening Whisper's takes as long as two seconds of speech. Its
 * encoder computes what it is given once: tests of beams, hotwords and languages recognize the same clips, and three quarters of their time were the same
 * encodings again. A test of the encoder itself takes `openOnnx()`.
 */
import { createHash } from "node:crypto";
import { basename } from "node:path";
import { openOnnx } from "../../drivers/onnx/session.js";
import type {
	InferencePort,
	InferenceSession,
	Tensor,
} from "../../runtime/models/inference-port.js";
import { encoderNames } from "../../runtime/models/whisper/graphs.js";

const port = openOnnx();
const opened = new Map<string, Promise<InferenceSession>>();

/** `close` leaves a graph open for whoever opens it next. The files stay as they are meanwhile. */
export const keptGraphs: InferencePort = {
	tensor: port.tensor,
	filterbank: port.filterbank,
	async open(path, options) {
		const key = `${path} ${options.threads}`;
		const graph = opened.get(key) ?? openOnce(path, options);
		opened.set(key, graph);
		return { ...(await graph), close: async () => {} };
	},
};

async function openOnce(
	...[path, options]: Parameters<InferencePort["open"]>
): Promise<InferenceSession> {
	const session = await port.open(path, options);
	const isEncoder =
		basename(path) === "encoder.onnx" &&
		session.inputNames.includes(encoderNames.mel);
	return isEncoder ? computingOnce(session, outputsMax) : session;
}

type Outputs = Readonly<Record<string, Pick<Tensor, "type" | "data" | "dims">>>;

/** Of an encoder: of 10 s of speech 12 MB. */
const outputsMax = 24;

/** @param outputsMax of the last runs that it keeps. */
export function computingOnce(
	session: InferenceSession,
	outputsMax: number,
): InferenceSession {
	const computed = new Map<string, Outputs>();
	return {
		...session,
		async run(feeds, fetches) {
			const key = keyOf(feeds, fetches);
			const known = computed.get(key);
			if (known) {
				computed.delete(key);
				computed.set(key, known);
				return tensorsOf(known);
			}
			const outputs = await session.run(feeds, fetches);
			const kept = Object.entries(outputs).map(
				([name, { type, data, dims }]) => [name, { type, data, dims }] as const,
			);
			computed.set(key, Object.fromEntries(kept));
			const [oldest = ""] = computed.keys();
			if (computed.size > outputsMax) computed.delete(oldest);
			return outputs;
		},
	};
}

function keyOf(
	feeds: Readonly<Record<string, Tensor>>,
	fetches: readonly string[],
): string {
	const hash = createHash("sha1").update(fetches.join());
	for (const [name, { data, dims }] of Object.entries(feeds))
		hash
			.update(`${name} ${dims.join()}`)
			.update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
	return hash.digest("hex");
}

function tensorsOf(outputs: Outputs): Record<string, Tensor> {
	return Object.fromEntries(
		Object.entries(outputs).map(([name, { type, data, dims }]) => [
			name,
			port.tensor(type, data, dims),
		]),
	);
}

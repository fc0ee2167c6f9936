/**
 * One pass of the decoder over a text that is already known: scores of alternatives at many tokens at once (for punctuation), and the position of each token
 * in the audio (for word times).
 */
import type { Tensor } from "../inference-port.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperShape } from "./shape.js";

export interface ForcedRequest {
	readonly cross: Readonly<Record<string, Tensor>>;
	/** Preceding text for the decoder, which sets the style; may be empty. */
	readonly context: readonly number[];
	/** The tokens before the text. */
	readonly prompt: readonly number[];
	/** The text, without control tokens. */
	readonly tokens: readonly number[];
	/** Indices of tokens before which alternatives are scored, ascending; `tokens.length` is the end. */
	readonly requested: readonly number[];
	/** Ids of the alternatives to score. */
	readonly ids: readonly number[];
	readonly alignment: boolean;
	readonly bias: Tensor;
}

export interface ForcedScores {
	/** [requested]: of the token at that index, or of the end token. */
	readonly logp: Float32Array;
	/** [requested, ids] */
	readonly idLogp: Float32Array;
	/** [heads, rows, S]; empty unless requested. */
	readonly attention: Float32Array;
	/** Number of rows of the attention, and the row of the first token. */
	readonly rows: number;
	readonly rowStart: number;
}

export async function forcedPass(
	decoder: WhisperDecoder,
	request: ForcedRequest,
): Promise<ForcedScores> {
	const { special } = decoder.shape;
	const before = [
		...promptBefore(decoder.shape, request.context),
		...request.prompt,
	];
	const rowStart = before.length - 1;
	const { requested } = request;
	const wanted = [...request.tokens, special.endOfText];
	const run = decoder.begin(request.cross);
	try {
		const tokens = [...before, ...request.tokens];
		const output = await run.step({
			tokens,
			parents: [0],
			// at least one position has to be scored; the last one is the cheapest
			positions:
				requested.length > 0
					? requested.map((i) => rowStart + i)
					: [tokens.length - 1],
			bias: request.bias,
			extraIds: requested.flatMap((i) => [wanted[i] as number, ...request.ids]),
			alignment: request.alignment,
		});
		return {
			...splitScores(output.extraLogp, requested.length, request.ids.length),
			attention: output.alignment,
			rows: tokens.length,
			rowStart,
		};
	} finally {
		run.close();
	}
}

function promptBefore(
	shape: WhisperShape,
	context: readonly number[],
): number[] {
	return context.length === 0
		? []
		: [shape.special.startOfPrevious, ...context];
}

function splitScores(scores: Float32Array, count: number, ids: number) {
	const logp = new Float32Array(count);
	const idLogp = new Float32Array(count * ids);
	for (let i = 0; i < count; i++) {
		const from = i * (ids + 1);
		logp[i] = scores[from] as number;
		idLogp.set(scores.subarray(from + 1, from + 1 + ids), i * ids);
	}
	return { logp, idLogp };
}

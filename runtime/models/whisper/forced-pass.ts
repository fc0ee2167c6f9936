/**
 * One pass of the decoder over a text that is found already: at many tokens at once, what else could have come (for punctuation), and where in the
 * sound it was heard (for word times).
 */
import type { Tensor } from "../inference-port.js";
import type { WhisperDecoder } from "./decoder.js";
import type { WhisperShape } from "./shape.js";

export interface ForcedRequest {
	readonly cross: Readonly<Record<string, Tensor>>;
	/** Text that stands before, as if it had been said: it sets the style. Empty for none. */
	readonly context: readonly number[];
	readonly languageToken: number;
	/** The text: no control tokens. */
	readonly tokens: readonly number[];
	/** Before which tokens something else could have come, in order; the tokens' number stands for the end. */
	readonly requested: readonly number[];
	/** Ids whose log-probability is wanted there. */
	readonly ids: readonly number[];
	readonly alignment: boolean;
	readonly bias: Tensor;
}

export interface ForcedScores {
	/** [requested]: of the token that stands there, or of the end token. */
	readonly logp: Float32Array;
	/** [requested, ids] */
	readonly idLogp: Float32Array;
	/** [heads, rows, S]; empty unless requested for. */
	readonly attention: Float32Array;
	/** Rows of the attention, and the one that looks for the first token. */
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
		special.startOfTranscript,
		request.languageToken,
		special.transcribe,
		special.noTimestamps,
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
			// without a question there is one answer that costs little: the last position's
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

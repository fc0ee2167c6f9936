/** Where a hypothesis has hotwords: the graph's spans of bytes as spans of pieces, with the bonus that they earn. */
import type { ContextGraph } from "./context-graph.js";
import type { Context } from "./context-walk.js";
import type { HotwordSpan } from "./merge-hypotheses.js";

const utf8 = new TextEncoder();

/** @param start what the pieces continue. @param nats bonus of one unit, natural logarithm. */
export function hotwordSpans(
	graph: ContextGraph,
	start: Context,
	pieces: readonly { readonly text: string }[],
	nats: number,
): HotwordSpan[] {
	const bytes = pieces.map(({ text }) => utf8.encode(text));
	/** Index of the piece of each byte. */
	const owners = bytes.flatMap(({ length }, i) => Array(length).fill(i));
	return graph
		.spans(start, Buffer.concat(bytes))
		.map(({ units, from, to }) => ({
			from: owners[from] ?? 0,
			to: (owners[to - 1] ?? pieces.length - 1) + 1,
			bonus: nats * units,
		}));
}

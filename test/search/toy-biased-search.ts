/** A search with hotwords over a toy decoder whose tokens are characters. */

import { atOnce } from "../../runtime/event-loop/piecewise.js";
import {
	beamSearch,
	type SearchOptions,
	type StepScores,
} from "../../runtime/search/beam-search.js";
import {
	type Biasing,
	biasedBeamSearch,
} from "../../runtime/search/biased-search.js";
import { ContextGraph } from "../../runtime/search/context-graph.js";

/** A toy decoder whose tokens are characters; the last is the end. */
export const characters = [..."甲乙丙丁戊", ""];
const endOfText = characters.length - 1;
const width = 3;
export const options: SearchOptions = {
	beam: 3,
	endOfText,
	tokensMax: 12,
	lengthPenalty: 1,
};
export type Model = (text: string) => readonly number[];

const bytes = (text: string) => new TextEncoder().encode(text);

export function biasing(words: readonly string[], nats: number): Biasing {
	const graph = atOnce(
		ContextGraph.compiling(words.map((word) => ({ writings: [word] }))),
	);
	return {
		start: graph.start,
		width: 3,
		ownRows: 2,
		advance: (context, token) =>
			graph.advance(context, bytes(characters[token] as string)),
		bonus: (context) => nats * graph.units(context),
		bonusAtEnd: (context) => nats * graph.unitsAtEnd(context),
		read: (tokens, logp) => ({
			pieces: tokens.map((token, i) => ({
				text: characters[token] as string,
				tokens: [token],
				logp: [logp[i] as number],
			})),
			spans: graph
				.spans(
					graph.start,
					bytes(tokens.map((token) => characters[token]).join("")),
				)
				.map(({ from, to, units }) => ({
					from: from / 3,
					to: to / 3,
					bonus: nats * units,
				})),
			endLogp: logp.at(-1) as number,
		}),
		offers: () => [0, 1, 2, 3, 4],
	};
}

/** Drives both searches over the model the way a graph does. */
export function decoder(model: Model) {
	let texts = [""];
	const rowCounts: number[] = [];
	const scoresOf = () => {
		const ids = new Int32Array(texts.length * width);
		const logp = new Float32Array(texts.length * width);
		texts.forEach((text, row) => {
			[...model(text).entries()]
				.sort(([, a], [, b]) => b - a)
				.slice(0, width)
				.forEach(([id, value], i) => {
					ids[row * width + i] = id;
					logp[row * width + i] = value;
				});
		});
		return { ids, logp };
	};
	const step = async (tokens: Int32Array, parents: Int32Array) => {
		texts = Array.from(
			tokens,
			(token, row) =>
				(texts[parents[row] as number] as string) + characters[token],
		);
		rowCounts.push(texts.length);
		return scoresOf();
	};
	const offer = (
		scores: StepScores,
		offers: readonly (readonly number[])[],
	) => ({
		...scores,
		offered: offers.map((ids, row) =>
			ids.map((id) => model(texts[row] as string)[id] as number),
		),
	});
	return { scoresOf, step, offer, rowCounts };
}

export async function plainly(
	model: Model,
	changed: Partial<SearchOptions> = {},
) {
	const { scoresOf, step } = decoder(model);
	const found = await beamSearch(scoresOf(), step, { ...options, ...changed });
	if (found === "cancelled") throw new Error("cancelled");
	return found;
}

export async function favouring(
	model: Model,
	words: readonly string[],
	nats: number,
	changed: Partial<SearchOptions> = {},
) {
	const { scoresOf, step, offer, rowCounts } = decoder(model);
	const bias = biasing(words, nats);
	const found = await biasedBeamSearch(
		offer(scoresOf(), [bias.offers(bias.start)]),
		async (tokens, parents, offers) =>
			offer(await step(tokens, parents), offers),
		{ ...options, ...changed },
		bias,
	);
	if (found === "cancelled") throw new Error("cancelled");
	const text = found.tokens.map((token) => characters[token]).join("");
	return { ...found, text, rowCounts };
}

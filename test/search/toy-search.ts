/** A beam search over a toy decoder. */
import {
	beamSearch,
	type SearchOptions,
	type Step,
	type StepScores,
} from "../../runtime/search/beam-search.js";

/** A toy decoder: log-probabilities of the next token after a text, over a small vocabulary whose last token is the end. */
export type Model = (text: readonly number[]) => readonly number[];

const width = 16;
export const options: SearchOptions = {
	beam: 5,
	endOfText: 4,
	tokensMax: 12,
	lengthPenalty: 1,
};

/** Drives the search over the model the way a graph does: a past per row, reordered by parents. */
export async function search(
	model: Model,
	changed: Partial<SearchOptions> = {},
) {
	let texts: number[][] = [[]];
	const rows: number[] = [];
	const step: Step = async (tokens, parents) => {
		texts = Array.from(tokens, (token, row) => [
			...(texts[parents[row] as number] as number[]),
			token,
		]);
		rows.push(tokens.length);
		return scores(texts, model);
	};
	const result = await beamSearch(scores([[]], model), step, {
		...options,
		...changed,
	});
	return { result, rows };
}

function scores(texts: readonly number[][], model: Model): StepScores {
	const ids = new Int32Array(texts.length * width);
	const logp = new Float32Array(texts.length * width).fill(-Infinity);
	texts.forEach((text, row) => {
		const next = model(text)
			.map((value, id) => ({ value, id }))
			.sort((a, b) => b.value - a.value);
		next.slice(0, width).forEach(({ value, id }, i) => {
			ids[row * width + i] = id;
			logp[row * width + i] = value;
		});
	});
	return { ids, logp };
}

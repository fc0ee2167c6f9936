import t from "tap";
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
import { atOnce } from "../../runtime/search/piecewise.js";
import { seededRandom } from "../features/seeded-random.js";

/** A toy decoder whose tokens are characters; the last is the end. */
const characters = [..."甲乙丙丁戊", ""];
const endOfText = characters.length - 1;
const width = 3;
const options: SearchOptions = {
	beam: 3,
	endOfText,
	tokensMax: 12,
	lengthPenalty: 1,
};
type Model = (text: string) => readonly number[];

const bytes = (text: string) => new TextEncoder().encode(text);

function biasing(words: readonly string[], nats: number): Biasing {
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
function decoder(model: Model) {
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

async function plainly(model: Model, changed: Partial<SearchOptions> = {}) {
	const { scoresOf, step } = decoder(model);
	const found = await beamSearch(scoresOf(), step, { ...options, ...changed });
	if (found === "cancelled") throw new Error("cancelled");
	return found;
}

async function favouring(
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

const logs = (...p: number[]) => p.map((one) => Math.log(one));

/** Hears 甲乙, might have heard 丙丁. */
const homophones: Model = (text) => {
	if (text === "") return logs(0.6, 0.1, 0.2, 0.05, 0.04, 0.01);
	if (text.length > 1) return logs(0.01, 0.01, 0.01, 0.01, 0.01, 0.95);
	return text === "丙"
		? logs(0.02, 0.3, 0.02, 0.6, 0.02, 0.04)
		: logs(0.02, 0.7, 0.02, 0.2, 0.02, 0.04);
};

t.test("a hotword wins over what sounds like it", async (t) => {
	t.equal((await favouring(homophones, [], 1)).text, "甲乙");
	t.equal((await favouring(homophones, ["丙丁"], 1)).text, "丙丁");
	t.equal(
		(await favouring(homophones, ["丙丁"], 0.5)).text,
		"甲乙",
		"not for so little",
	);
	t.equal(
		(await favouring(homophones, ["丙戊"], 1)).text,
		"甲乙",
		"nor is what nobody said heard",
	);
});

t.test(
	"its log-probabilities are the decoder's, without any bonus",
	async (t) => {
		const { logp, score } = await favouring(homophones, ["丙丁"], 1);
		const expected = [0.2, 0.6, 0.95].map(Math.log);
		expected.forEach((one, i) => {
			t.ok(Math.abs((logp[i] as number) - one) < 1e-6);
		});
		const sum = expected.reduce((a, b) => a + b);
		t.ok(Math.abs(score - sum / 3) < 1e-6);
	},
);

t.test("a token that the decoder ranks low is offered", async (t) => {
	// 戊 is fifth of six, and the decoder names three
	const model: Model = (text) =>
		text === ""
			? logs(0.3, 0.25, 0.22, 0.12, 0.1, 0.01)
			: logs(0.01, 0.01, 0.01, 0.01, 0.01, 0.95);
	t.equal((await favouring(model, ["戊"], 4)).text, "戊");
});

t.test("a hotword is not said again and again for its bonus", async (t) => {
	// at any moment it could be said again, at a price less than its bonus
	const model: Model = (text) => {
		if (text.length % 2 === 1) return logs(0.01, 0.95, 0.01, 0.01, 0.01, 0.01);
		return text === ""
			? logs(0.95, 0.01, 0.01, 0.01, 0.01, 0.01)
			: logs(0.2, 0.01, 0.01, 0.01, 0.01, 0.76);
	};
	t.equal((await favouring(model, ["甲乙"], 3)).text, "甲乙");
});

t.test("a hotword is not put behind what was said", async (t) => {
	const model: Model = (text) =>
		text.length < 2
			? logs(0.01, 0.01, 0.95, 0.01, 0.01, 0.01)
			: logs(0.03, 0.03, 0.01, 0.01, 0.01, 0.91);
	t.equal((await favouring(model, ["甲乙"], 1)).text, "丙丙");
});

t.test(
	"hotwords that nobody said change nothing, token for token",
	async (t) => {
		const { random, seed } = seededRandom();
		t.comment(`seed ${seed}`);
		let same = 0;
		for (let round = 0; round < 200; round++) {
			const model = randomModel(random);
			const words = Array.from({ length: 3 }, () =>
				Array.from(
					{ length: 2 + Math.floor(random() * 2) },
					() => characters[Math.floor(random() * 5)],
				).join(""),
			);
			const changed = random() < 0.3 ? { prefix: [0, 1] } : {};
			const plain = await plainly(model, changed);
			const found = await favouring(model, words, 0.7, changed);
			const said = found.tokens.slice(changed.prefix?.length ?? 0);
			const text = said.map((token) => characters[token]).join("");
			if (words.some((word) => text.includes(word))) continue;
			same++;
			t.same(found.tokens, plain.tokens);
			t.same(found.logp, plain.logp);
			t.same([found.score, found.why], [plain.score, plain.why]);
		}
		t.ok(same > 20, `${same} rounds had no hotword in them`);
	},
);

t.test("the beams share their rows", async (t) => {
	const { rowCounts } = await favouring(homophones, ["戊戊"], 0.1);
	t.ok(Math.max(...rowCounts) <= 4, `${rowCounts}`);
	const { rowCounts: none } = await favouring(homophones, [], 1);
	t.ok(Math.max(...none) <= 3, `${none}`);
});

t.test("a search that never ends is cut, circles and all", async (t) => {
	const circle: Model = (text) =>
		[0, 1, 2, 3, 4, 5].map((id) => (id === text.length % 3 ? -0.01 : -6 - id));
	const found = await favouring(circle, ["甲乙丙"], 3, { tokensMax: 200 });
	t.equal(found.why, "loop");
	t.ok(found.tokens.length < 20);
	const bounded = await favouring(circle, ["丁丁"], 3, { tokensMax: 6 });
	t.ok(bounded.tokens.length <= 6);
});

t.test("cancelling ends the search between two steps", async (t) => {
	const { scoresOf, step, offer } = decoder(homophones);
	const bias = biasing(["丙丁"], 1);
	const found = await biasedBeamSearch(
		offer(scoresOf(), [bias.offers(bias.start)]),
		async (tokens, parents, offers) =>
			offer(await step(tokens, parents), offers),
		{ ...options, cancelled: () => true },
		bias,
	);
	t.equal(found, "cancelled");
});

function randomModel(random: () => number): Model {
	const table = new Map<string, readonly number[]>();
	return (text) => {
		let next = table.get(text);
		if (next === undefined) {
			const weights = characters.map(() => random() ** 3 + 1e-3);
			const sum = weights.reduce((a, b) => a + b);
			next = weights.map((weight) => Math.log(weight / sum));
			table.set(text, next);
		}
		return next;
	};
}

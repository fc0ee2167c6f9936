/** What holds of every transcript, whatever was heard. The seed is printed: a failure can be had again with EARSHOT_SEED. */
import t from "tap";
import type { Turn } from "../../runtime/engine/file-job.js";
import type { FileOptions } from "../../runtime/tasks/file-options.js";
import type { ResultSegment } from "../../runtime/tasks/result/result.js";
import { timeCodeMs } from "../../runtime/tasks/result/time-code.js";
import { isMark } from "../../runtime/text/punctuation.js";
import { textColumns } from "../../runtime/text/text-width.js";
import { compose, optionsOf } from "./heard.js";
import {
	languages,
	pick,
	type Random,
	randomUtterances,
	seededRandom,
} from "./random-speech.js";

const seed = Number(process.env.EARSHOT_SEED ?? Date.now() % 1e9);
const rounds = Number(process.env.EARSHOT_ROUNDS ?? 60);
t.comment(`seed ${seed}`);

const letters = (text: string) =>
	[...text].filter((it) => !/\s/u.test(it) && !isMark(it)).join("");
const unspaced = (text: string) => text.replace(/\s+/gu, "");

function randomOptions(random: Random): FileOptions {
	const output = pick(random, ["text", "subtitle"] as const);
	return optionsOf(pick(random, languages), {
		output,
		punctuation: random() < 0.5,
		words: random() < 0.5,
		wordsType: pick(random, [0, 1] as const),
		channels: pick(random, [1, 1, 2] as const),
		langLabel: random() < 0.5,
		...(random() < 0.5 && { clusters: 0 }),
		...(random() < 0.5 && { paragraphCondition: 100 }),
	});
}

function randomTurns(random: Random, untilMs: number): Turn[] {
	const turns: Turn[] = [];
	for (let at = 0; at < untilMs; ) {
		const startMs = at + Math.floor(random() * 300);
		at = startMs + 200 + Math.floor(random() * 6000);
		turns.push({ startMs, endMs: at, speaker: 1 + Math.floor(random() * 3) });
	}
	return turns;
}

async function round(random: Random) {
	const options = randomOptions(random);
	const channels = Array.from({ length: options.channels }, () =>
		randomUtterances(random, options.language, Math.ceil(random() * 8)),
	);
	const lastMs = Math.max(...channels.flat().map((it) => it.endMs));
	const turns = options.clusters === 0 ? randomTurns(random, lastMs) : [];
	const composed = await compose(options, channels, turns);
	return { options, channels, ...composed };
}

t.test(
	"every letter that was heard is in the result, in its order",
	async (t) => {
		const random = seededRandom(seed);
		for (let i = 0; i < rounds; i++) {
			const { options, channels, segments } = await round(random);
			if (options.channels === 2) continue; // two orders, told by time
			const heard = channels
				.flat()
				.map((it) => it.text)
				.join("");
			const told = segments.map((it) => it.transcript).join("");
			const compare = options.punctuation ? unspaced : letters;
			if (compare(told) === compare(heard)) continue;
			t.fail("letters are lost", { options, heard, told });
			return;
		}
		t.pass("none is lost");
	},
);

t.test(
	"segments go forward in time, are numbered, and none is empty",
	async (t) => {
		const random = seededRandom(seed + 1);
		for (let i = 0; i < rounds; i++) {
			const { options, segments } = await round(random);
			let before: ResultSegment | undefined;
			segments.forEach((segment, k) => {
				const begin = timeCodeMs(segment.begin);
				const last = before && timeCodeMs(before.begin);
				const isGood =
					segment.seg_num === k + 1 &&
					segment.transcript.trim() === segment.transcript &&
					segment.transcript !== "" &&
					timeCodeMs(segment.end) >= begin &&
					begin >= (last ?? 0) &&
					(options.channels === 2 ||
						!before ||
						begin >= timeCodeMs(before.end)) &&
					segment.paragraph - (before?.paragraph ?? 1) <= 1 &&
					segment.paragraph >= (before?.paragraph ?? 1) &&
					segment.confidence >= 0 &&
					segment.confidence <= 1;
				if (!isGood) t.fail("a bad segment", { segment, before, options });
				before = segment;
			});
		}
		t.pass("all are in order");
	},
);

t.test(
	"no subtitle is wider than 42 columns or lasts longer than 7 s",
	async (t) => {
		const random = seededRandom(seed + 2);
		for (let i = 0; i < rounds; i++) {
			const { options, segments } = await round(random);
			if (options.output !== "subtitle") continue;
			for (const segment of segments) {
				const ms = timeCodeMs(segment.end) - timeCodeMs(segment.begin);
				if (textColumns(segment.transcript) > 42 || ms > 7000)
					t.fail("a bad line", { segment, options });
			}
		}
		t.pass("all lines fit");
	},
);

t.test("a segment's words are its text, inside its time", async (t) => {
	const random = seededRandom(seed + 3);
	for (let i = 0; i < rounds; i++) {
		const { options, segments } = await round(random);
		for (const segment of segments) {
			if (!options.words) {
				if (segment.words) t.fail("words that nobody asked for");
				continue;
			}
			const words = segment.words ?? [];
			const text = words.map((it) => it.word).join("");
			if (unspaced(text) !== unspaced(segment.transcript))
				t.fail("words that are not the text", { segment, text, options });
			let clockMs = timeCodeMs(segment.begin);
			for (const word of words) {
				if (word.start_time < clockMs || word.end_time < word.start_time)
					t.fail("a word before its time", { segment, word });
				clockMs = word.start_time;
				if (word.end_time > timeCodeMs(segment.end))
					t.fail("a word behind its segment", { segment, word });
				if (!options.punctuation && word.type === "punc")
					t.fail("a mark that nobody asked for", { segment, word, options });
			}
		}
	}
	t.pass("all words are in place");
});

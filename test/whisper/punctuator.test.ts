import t from "tap";
import {
	chooseMarks,
	lacksPunctuation,
	markPlaces,
	type PromptLanguage,
	prompted,
} from "../../runtime/models/whisper/punctuator.js";
import type { TextPiece } from "../../runtime/models/writing/transcript.js";
import {
	splitWords,
	textOf,
	wordStarts,
	writeOut,
} from "../../runtime/models/writing/transcript.js";

const piecesOf = (...texts: string[]): TextPiece[] =>
	texts.map((text, i) => ({ text, tokenStart: i, tokenEnd: i + 1 }));

/** Scores in which the given marks beat the given pieces by the given margin; all others lose by 5. */
function scores(
	pieces: readonly TextPiece[],
	language: PromptLanguage,
	wins: Readonly<Record<number, readonly [mark: string, by: number]>>,
) {
	const { marks } = prompted[language];
	const count = pieces.length + 1;
	const logp = new Float32Array(count).fill(-1);
	const idLogp = new Float32Array(count * marks.length).fill(-6);
	for (const [place, [mark, by]] of Object.entries(wins))
		idLogp[Number(place) * marks.length + marks.indexOf(mark)] = -1 + by;
	return { logp, idLogp };
}

function punctuate(
	pieces: readonly TextPiece[],
	language: PromptLanguage,
	wins: Readonly<Record<number, readonly [mark: string, by: number]>>,
): string {
	const places = markPlaces(
		pieces,
		wordStarts(pieces, prompted[language].style),
	);
	const all = scores(pieces, language, wins);
	const width = prompted[language].marks.length;
	const placeScores = {
		logp: Float32Array.from(places, (it) => all.logp[it] as number),
		idLogp: Float32Array.from(
			places.flatMap((it) => [
				...all.idLogp.subarray(it * width, (it + 1) * width),
			]),
		),
	};
	const marks = chooseMarks(pieces, places, placeScores, language);
	return textOf(writeOut(pieces, marks, prompted[language].style, true));
}

t.test(
	"a mark that is likelier than the next token is inserted, no word is changed",
	(t) => {
		const pieces = piecesOf(
			"如果",
			"你",
			"去",
			"旅游",
			"我们",
			"就",
			"一起",
			"走",
		);
		t.equal(
			punctuate(pieces, "zh", { 4: [",", 1.5], 8: ["。", -1] }),
			"如果你去旅游，我们就一起走。",
		);
		t.equal(
			punctuate(pieces, "zh", { 4: [",", -0.5] }),
			"如果你去旅游我们就一起走",
		);
		t.end();
	},
);

t.test("of two marks close together the likelier stays", (t) => {
	const pieces = piecesOf("今天", "天气", "很好", "我们", "去", "公园", "散步");
	t.equal(
		punctuate(pieces, "zh", { 2: [",", 0.5], 3: [",", 3] }),
		"今天天气很好，我们去公园散步",
	);
	t.end();
});

t.test("no mark inside a word or between a number and its unit", (t) => {
	const pieces = piecesOf(
		"公园",
		"占地",
		"19",
		"500",
		"平方",
		"公里",
		"左右",
		"的",
	);
	t.equal(
		punctuate(pieces, "zh", { 3: [",", 4], 4: [",", 4], 5: [",", 4] }),
		"公园占地19500平方公里左右的",
	);
	t.end();
});

t.test(
	"a space that was written for a pause lowers the threshold for a mark",
	(t) => {
		const pieces = piecesOf(
			"そう",
			"なん",
			"だ",
			" あ",
			"して",
			"歩いて",
			"いる",
		);
		t.equal(
			punctuate(pieces, "ja", { 3: ["。", -2] }),
			"そうなんだ。あして歩いている",
		);
		t.end();
	},
);

t.test("at the end only marks that end a sentence", (t) => {
	const pieces = piecesOf(" where", " is", " the", " station");
	t.equal(punctuate(pieces, "en", { 4: [",", 2] }).endsWith(","), false);
	t.equal(punctuate(pieces, "en", { 4: ["?", 1] }), "where is the station?");
	t.end();
});

t.test("a punctuated text is not changed", (t) => {
	t.notOk(lacksPunctuation(" It was late, so he left.", "en"));
	t.ok(lacksPunctuation(" it was late so he left", "en"));
	t.ok(
		lacksPunctuation("他们仍在努力确定这次撞击的规模以及对地球的影响", "zh"),
	);
	t.notOk(lacksPunctuation("警方说，尸体看上去在那里放了一天左右。", "zh"));
	t.notOk(lacksPunctuation("", "zh"));
	t.end();
});

t.test(
	"words: English by spaces, Chinese by segmentation, marks separate",
	(t) => {
		const words = (language: PromptLanguage, ...texts: string[]) =>
			splitWords(
				writeOut(piecesOf(...texts), [], prompted[language].style, true),
				prompted[language].style,
			).map(({ text, kind }) => (kind === "punc" ? `<${text}>` : text));
		t.same(
			words(
				"en",
				" It",
				" isn't",
				" cold",
				"-",
				"hearted",
				",",
				" is",
				" it",
				"?",
			),
			["It", "isn't", "cold-hearted", "<,>", "is", "it", "<?>"],
		);
		t.same(words("zh", "我", "们", "，", "国", "家"), ["我们", "<，>", "国家"]);
		t.same(
			words("ja", "今日", "は", "いい", "天気", "だ", "。").at(-1),
			"<。>",
		);
		t.end();
	},
);

t.test("a word refers to its tokens, wherever their boundaries are", (t) => {
	const characters = writeOut(piecesOf("国", "家", "图书馆"), [], "zh", true);
	const words = splitWords(characters, "zh");
	t.equal(words.map((word) => word.text).join(""), "国家图书馆");
	t.equal(words[0]?.first.tokenStart, 0);
	t.equal(words.at(-1)?.last.tokenEnd, 3);
	t.end();
});

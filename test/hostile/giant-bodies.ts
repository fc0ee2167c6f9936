/** Bodies that are as long as a body may be, each to cost as much as so many bytes can. */
export interface GiantBody {
	readonly name: string;
	readonly method?: "POST" | "DELETE";
	readonly path: string;
	readonly body: () => string | FormData;
	/** Or the code of an error in OpenAI's shape; undefined where the answer has neither. */
	readonly status: string | undefined;
}

const bodyBytesMax = 8 * 1024 * 1024;
/** For what stands around. */
const room = bodyBytesMax - 1024;
const hotwords = "/v1/hotwords";
const corrections = "/v1/correction-words";
const marks = (pairs: number) => `a${"\u0315\u0300".repeat(pairs)}`;
const filled = (each: string, bytes = room) =>
	each.repeat(Math.floor(bytes / Buffer.byteLength(each)));

const backwards = `{${Array.from({ length: 1000 }, (_, it) => `"${999 - it}":0`)}},`;

const distinct = (count: number) =>
	Array.from({ length: count }, (_, it) => it.toString(36));

function list(name: string, items: string, status: string): GiantBody {
	const body = () => `{"lang_type":"en","words":[${items}""]}`;
	return { name, path: hotwords, body, status };
}

function words(
	name: string,
	entries: () => readonly string[],
	status: string,
	path = hotwords,
): GiantBody {
	const body = () => JSON.stringify({ lang_type: "en", words: entries() });
	return { name, path, body, status };
}

function form(
	name: string,
	fields: () => Record<string, string | Blob>,
	status: string,
	path = hotwords,
): GiantBody {
	const body = () => {
		const data = new FormData();
		for (const [key, value] of Object.entries(fields())) data.set(key, value);
		return data;
	};
	return { name, path, body, status };
}

const upload = {
	lang_type: "en",
	format: "wav",
	file_url: "http://127.0.0.1:1/",
};

/** @param correctionsId a list that is there. */
export const giantBodies = (correctionsId: string): readonly GiantBody[] => [
	words("one word of combining marks", () => [marks(room / 4)], "000000"),
	words(
		"thousands of words of combining marks",
		() => Array<string>(4000).fill(marks(500)),
		"000000",
	),
	words("850,000 words", () => distinct(850_000), "210400"),
	words("a million empty words", () => Array<string>(1e6).fill(""), "000000"),
	{
		name: "a language of eight million underscores",
		path: hotwords,
		body: () => `{"lang_type":"${filled("_")}","words":[]}`,
		status: "200008",
	},
	list("more words than a list may have", filled('"",'), "200003"),
	list("lists in place of words", filled("[],"), "200003"),
	list("lists in lists", filled("["), "200003"),
	{
		name: "objects in objects beside the words",
		path: hotwords,
		body: () => `{"lang_type":"en","words":[],"unknown":${filled('{"a":')}`,
		status: "200003",
	},
	{
		name: "600,000 names",
		path: hotwords,
		body: () =>
			`{"lang_type":"en","words":[]${distinct(600_000)
				.map((it) => `,"${it}":1`)
				.join("")}}`,
		status: "200003",
	},
	list("numbers far apart for names", filled('{"1023":0},'), "200003"),
	list("the same, in pairs", filled('{"1023":0,"2575":0},'), "200003"),
	list("numbers for names, all in tables", filled('{"1024":0},'), "200003"),
	list("a thousand numbers for names, backwards", filled(backwards), "210400"),

	{
		name: "one long word without end",
		path: hotwords,
		body: () => `{"lang_type":"en","words":["${filled("a")}`,
		status: "200003",
	},
	{
		name: "a name of control characters",
		path: hotwords,
		body: () => `{"lang_type":"en","words":[],"name":"${filled("\\u0001")}"}`,
		status: "200002",
	},
	{
		name: "a list of words for a name",
		path: hotwords,
		body: () =>
			`{"lang_type":"en","words":[],"name":[${'"a",'.repeat(900_000)}"a"]}`,
		status: "200002",
	},
	words(
		"one correction of 1.2 million wrong forms",
		() => [`${distinct(1_200_000).join("|")},x`],
		"000000",
		corrections,
	),
	words(
		"eight million bars",
		() => [`${filled("|")},x`],
		"000000",
		corrections,
	),
	words(
		"corrections that are as long as one may be",
		() =>
			distinct(2000).map((it) =>
				`${it}|${"a|".repeat(40)}${marks(7)}|`.padEnd(4000, "b|").concat(",x"),
			),
		"000000",
		corrections,
	),
	{
		name: "850,000 words to be taken out",
		method: "DELETE",
		path: `${corrections}/${correctionsId}`,
		body: () => JSON.stringify({ words: distinct(850_000) }),
		status: "000000",
	},
	{
		name: "a million characters to find keywords in",
		path: hotwords,
		body: () =>
			JSON.stringify({
				lang_type: "zh",
				auto_extraction: true,
				words: ["北京大学的研究人员发表了论文。".repeat(66_000)],
			}),
		status: "000000",
	},
	form(
		"a file of eight million lines",
		() => ({ lang_type: "en", file: new Blob([filled("\n")]) }),
		"200003",
	),
	form(
		"a file of a million lines",
		() => ({ lang_type: "en", file: new Blob(["a\r\n".repeat(1_000_000)]) }),
		"000000",
	),
	form(
		"files of two million lines together",
		() => ({
			lang_type: "en",
			file: new Blob(["a\n".repeat(1_000_000)]),
			words: "\n".repeat(1_000_000),
		}),
		"200003",
	),
	form(
		"a field of lists",
		() => ({ lang_type: "en", words: `[${filled("[],")}""]` }),
		"200003",
	),
	form(
		"a field of combining marks",
		() => ({ lang_type: "en", words: marks(room / 4) }),
		"000000",
	),
	form(
		"as many fields as a form may have",
		() => Object.fromEntries(distinct(1000).map((it) => [it, it])),
		"200001",
		"/v1/asrfile/upload",
	),
	form(
		"a million bars",
		() => ({ ...upload, hotwords_list: "|".repeat(1_000_000) }),
		"200002",
		"/v1/asrfile/upload",
	),
	form(
		"half a million ids",
		() => ({
			...upload,
			correction_words_id: "a|".repeat(500_000).concat("a"),
		}),
		"200002",
		"/v1/asrfile/upload",
	),
];

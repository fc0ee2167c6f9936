/** Forms whose texts are as long as all of them together may be, beside a file. */
import type { GiantBody } from "./giant-bodies.js";
import { silence } from "./http-fields.js";

/** Of a mebibyte: names and short texts count, too. */
const textBytes = 1024 * 1024 - 2048;
const listUnits = 64 * 1024;
const promptUnits = 16 * 1024;
const transcriptions = "/v1/audio/transcriptions";
const upload = "/v1/asrfile/upload";

type Texts = Readonly<Record<string, string | readonly string[]>>;

const filled = (each: string, units = textBytes) =>
	each.repeat(Math.floor(units / each.length));

/** A JSON list. */
function listOf(item: string, units: number): string {
	return `[${filled(`${item},`, units - item.length - 2)}${item}]`;
}

/** Shares of what all texts may be together. */
function repeated(times: number, make: (units: number) => string): string[] {
	const text = make(Math.floor(textBytes / times));
	return Array<string>(times).fill(text);
}

/** @param code of the error; absent: it is answered. */
function form(
	path: string,
	name: string,
	texts: () => Texts,
	code?: string,
): GiantBody {
	const body = () => {
		const data = new FormData();
		for (const [key, given] of Object.entries(texts()))
			for (const text of [given].flat()) data.append(key, text);
		data.set("file", silence, "a.wav");
		return data;
	};
	return { name: `${path}: ${name}`, path, body, status: code };
}

const prompts = (path: string, code?: string): readonly GiantBody[] => [
	form(path, "a prompt of commas", () => ({ prompt: filled(",") }), code),
	form(path, "a prompt of short words", () => ({ prompt: filled("a,") }), code),
];

const bars = (path: string, more: Texts, code: string): readonly GiantBody[] =>
	[1, 4, 16].flatMap((times) => [
		form(
			path,
			`words behind bars, ${times} times`,
			() => ({
				...more,
				hotwords_list: repeated(times, (it) => filled("a|", it)),
			}),
			code,
		),
		form(
			path,
			`hotwords_list of numbers, ${times} times`,
			() => ({
				...more,
				hotwords_list: repeated(times, (it) => listOf("1", it)),
			}),
			code,
		),
		form(
			path,
			`bars alone, ${times} times`,
			() => ({
				...more,
				hotwords_list: repeated(times, (it) => filled("|", it)),
			}),
			code,
		),
	]);

export const giantForms: readonly GiantBody[] = [
	...prompts(transcriptions),
	...prompts("/v1/audio/translations", "unsupported_model"), // of the tiny one
	...prompts("/inference"),
	form(transcriptions, "a prompt of combining marks", () => ({
		prompt: filled("\u0315\u0300", textBytes / 2),
	})),
	form(
		transcriptions,
		"a prompt of replaced characters",
		() => ({
			prompt: filled("\uFFFD", textBytes / 3),
		}),
		"invalid_value",
	),
	...[",", "a,", "|", "a|"].map((each) =>
		form(
			transcriptions,
			`hotwords of ${JSON.stringify(each)}`,
			() => ({ hotwords: filled(each) }),
			"invalid_value",
		),
	),
	form(
		transcriptions,
		"hotwords as a list of lists",
		() => ({ hotwords: listOf("[]", textBytes) }),
		"invalid_value",
	),
	...["keywords", "include", "timestamp_granularities"].map((name) =>
		form(
			transcriptions,
			`16 lists of ${name}`,
			() => ({ [name]: repeated(16, (it) => listOf("1", it)) }),
			"invalid_value",
		),
	),
	form(
		transcriptions,
		"16 lists of languages",
		() => ({ languages: repeated(16, (it) => listOf("1", it)) }),
		"invalid_value",
	),
	...["_", "-", "a-"].flatMap((each) =>
		["language", "lang_type", "languages[]"].map((name) =>
			form(
				transcriptions,
				`${name} of ${each}`,
				() => ({ [name]: filled(each) }),
				"unsupported_language",
			),
		),
	),
	...bars(transcriptions, {}, "invalid_value"),
	...bars(upload, { lang_type: "en", format: "wav" }, "200002"),
	form(
		upload,
		"lang_type of underscores",
		() => ({ lang_type: filled("_"), format: "wav" }),
		"200008",
	),
	form(
		transcriptions,
		"every list as long as it may be",
		() => ({
			response_format: "verbose_json",
			timestamp_granularities: listOf('"word"', listUnits),
			hotwords_list: filled("|", listUnits),
			keywords: `[${" ".repeat(listUnits - 2)}]`,
			hotwords: filled(",", listUnits),
			prompt: filled(",", promptUnits),
			include: listOf('"logprobs"', listUnits),
			languages: listOf("1", listUnits),
		}),
		"unsupported_language",
	),
];

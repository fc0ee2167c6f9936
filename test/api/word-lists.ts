/** Kinds, entries and requests for tests of the lists' endpoints. */
import type { Test } from "tap";
import type { Answer, RunningApi } from "./running-api.js";
import { startApi } from "./running-api.js";

/** The three kinds of lists. */
export const kinds = [
	{ path: "/v1/hotwords", code: "210", prefix: "HW", header: "writing" },
	{
		path: "/v1/correction-words",
		code: "211",
		prefix: "CW",
		header: "wrong,right",
	},
	{ path: "/v1/forbidden-words", code: "212", prefix: "FW", header: "word" },
] as const;

/** Valid entries of each kind. */
export function entriesOf(path: string, count: number): string[] {
	const form = path === "/v1/correction-words" ? "wrong#,right" : "word#";
	return Array.from({ length: count }, (_, it) => form.replace("#", `${it}`));
}

export interface Lists {
	readonly api: RunningApi;
	readonly token: string;
	/** @param body as JSON; a string or a form is sent unchanged. */
	ask(method: string, path: string, body?: unknown): Promise<Answer>;
	/** Creates a list. @returns its id. */
	make(path: string, words: readonly string[], more?: object): Promise<string>;
	wordsOf(path: string, id: string): Promise<readonly string[]>;
}

export async function startLists(
	t: Test,
	...start: Parameters<typeof startApi> extends [unknown, ...infer R]
		? R
		: never
): Promise<Lists> {
	const api = await startApi(t, ...start);
	const token = await api.makeToken(["hotwords", "asr"]);
	const ask = (method: string, path: string, body?: unknown) => {
		const isRaw = typeof body === "string" || body instanceof FormData;
		return api.ask(path, {
			method,
			headers: { Authorization: `Bearer ${token}` },
			...(body !== undefined && {
				body: isRaw ? (body as string | FormData) : JSON.stringify(body),
			}),
		});
	};
	return {
		api,
		token,
		ask,
		make: async (path, words, more = {}) => {
			const body = { lang_type: "en-US", words, ...more };
			const { data, status, message } = await ask("POST", path, body);
			if (status !== "000000") throw new Error(`${status} ${message}`);
			return (data as { id: string }).id;
		},
		wordsOf: async (path, id) => {
			const { data } = await ask("GET", `${path}/${id}`);
			return (data as { words: readonly string[] }).words;
		},
	};
}

/** Options that a browser keeps, for whoever signs in there. */
import t from "tap";
import { pageCode } from "./page-code.js";

interface Code {
	readonly session: { value: object };
	choose(change: object): void;
	requestOptions(): Readonly<Record<string, unknown>>;
}

t.test("stored lists are those of one who may see them", async (t) => {
	const { session, choose, requestOptions } = await pageCode<Code>(
		"parts/recognition-options.ts",
		"app/session.ts",
	);
	const signIn = (...scopes: string[]) => {
		const device = { languages: ["en-US"] };
		session.value = { signed_in: true, required: true, scopes, device };
	};
	const lists = { hotwordsId: "a", correctionsId: "b", forbiddenId: "c" };
	signIn("admin");
	choose({ ...lists, hotwords: "Norland" });
	t.match(requestOptions(), {
		hotwords_id: "a",
		correction_words_id: "b",
		forbidden_words_id: "c",
	});
	signIn("asr");
	const names = Object.keys(requestOptions());
	t.same(
		names.filter((it) => it.endsWith("_id")),
		[],
		"and can't be chosen, nor taken back, by another one",
	);
	t.match(requestOptions(), { hotwords_list: ["Norland"] });
});

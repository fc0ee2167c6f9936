/** How fields of a form may be written. */
import t from "tap";
import { filePart, formBytes, formType, partOf } from "../files/raw-form.js";
import { startFiles, wavBytes } from "../files/running-files.js";

t.test("with an API", async (t) => {
	const api = await startFiles(t);
	const token = await api.makeToken(["asr"]);
	const post = (name: string, ...texts: readonly (string | Uint8Array)[]) => {
		const given = texts.map((it) => partOf(name, it));
		const fields = [partOf("language", "en"), ...given];
		return fetch(`${api.url}/v1/audio/transcriptions`, {
			method: "POST",
			headers: { Authorization: `Bearer ${token}`, "Content-Type": formType },
			body: formBytes([...fields, filePart("a.wav", wavBytes(1))]),
		});
	};

	t.test("numbers as programs print them are read", async (t) => {
		for (const text of [
			"1e-05",
			"1E-7",
			".5",
			"0.",
			"+1",
			"0.1234567890123456",
		])
			t.equal((await post("temperature", text)).status, 200, text);
		for (const text of [
			"1e5",
			"-.1",
			".",
			"e1",
			"0x1",
			"Infinity",
			"1e",
			"one",
		])
			t.equal((await post("temperature", text)).status, 400, text);
	});

	t.test("words that are not UTF-8 are refused", async (t) => {
		const inGbk = Buffer.from("d5c5c8fd", "hex"); // 张三
		for (const [name, param] of [
			["keywords[]", "keywords"],
			["keywords", "keywords"],
			["hotwords", "hotwords"],
			["prompt", "prompt"],
		] as const) {
			t.equal((await post(name, "张三")).status, 200, name);
			const answer = await post(name, inGbk);
			t.equal(answer.status, 400, name);
			const message = `${param} must be text in UTF-8`;
			t.match(await answer.json(), { error: { param, message } });
		}
	});

	t.test(
		"a prompt that was cut within a character is none of these",
		async (t) => {
			const cut = "𠮷田".slice(1); // as JavaScript cuts what was said before
			for (const [prompt, hotwords] of [
				[`${cut}さん、札幌、大阪`, ["札幌", "大阪"]],
				["そうですね。𠮷田さんは元気です。".slice(7), undefined],
				[`${cut}さん`, undefined],
				["😀 hello".slice(1), undefined],
			] as const) {
				const answer = await post("prompt", prompt);
				t.equal(answer.status, 200, prompt);
				t.same(api.lane.options?.hotwords?.list.entries, hotwords);
				const ignored = answer.headers.get("x-earshot-ignored");
				t.equal(ignored, hotwords ? null : "prompt");
			}
		},
	);

	t.test("a prompt is a list as long as its words allow", async (t) => {
		const word = (_: unknown, it: number) => `${it}`.padEnd(30, "山");
		const words = Array.from({ length: 100 }, word);
		const list = words.join(" 、\n ");
		const long = " ".repeat(16 * 1024);
		const transcript = "札幌へ行きました。".repeat(30_000);
		for (const [prompt, hotwords] of [
			[list, words],
			[`札幌、大阪${long}`, undefined],
			[transcript, undefined],
		] as const) {
			const answer = await post("prompt", prompt);
			t.equal(answer.status, 200);
			t.same(api.lane.options?.hotwords?.list.entries, hotwords);
			const ignored = answer.headers.get("x-earshot-ignored");
			t.equal(ignored, hotwords ? null : "prompt");
		}
		const inGbk = Buffer.from("d5c5c8fd".repeat(50_000), "hex");
		t.equal((await post("prompt", inGbk)).status, 400, "however long");
	});

	t.test("what is longer than a hundred hotwords is refused", async (t) => {
		const words = Array.from({ length: 100 }, (_, it) => `${it}`.padEnd(30));
		for (const [name, ...texts] of [
			["hotwords", words.join(",").padEnd(65_536)],
			["hotwords", JSON.stringify(words)],
			["keywords", JSON.stringify(words).padEnd(65_536)],
			["keywords", ...words],
			["hotwords_list", ...words],
		] as const) {
			t.equal((await post(name, ...texts)).status, 200, name);
			t.equal(api.lane.options?.hotwords?.list.entries.length, 100);
		}
		const half = `["${"a".repeat(40_000)}"]`;
		for (const [texts, name, message] of [
			[["a|".repeat(300_000)], "hotwords", "must be at most 65536 characters"],
			[[half, half], "keywords", "must be at most 65536 characters of JSON"],
			[
				[half, half],
				"hotwords_list",
				/^hotwords_list must be a list of at most 100 strings, got /,
			],
		] as const) {
			const answer = await post(name, ...texts);
			t.equal(answer.status, 400, name);
			const error = {
				param: name,
				message: typeof message === "string" ? `${name} ${message}` : message,
			};
			t.match(await answer.json(), { error });
		}
	});
});

/** How fields of a form may be written. */
import t from "tap";
import { filePart, formBytes, formType, partOf } from "../files/raw-form.js";
import { startFiles, wavBytes } from "../files/running-files.js";

t.test("with an API", async (t) => {
	const api = await startFiles(t);
	const token = await api.makeToken(["asr"]);
	const post = (name: string, text: string | Uint8Array) => {
		const fields = [partOf("language", "en"), partOf(name, text)];
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
});

/** What a reader gets of real speech on a whole appliance: numbers, corrections and forbidden words, over HTTP and live alike. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import {
	EarshotClient,
	type Result,
} from "../../runtime/client/earshot-client.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const bytesOf = (clip: string) =>
	readFileSync(join(repository, "test/clips", clip));
const dashwood = bytesOf("en-librivox-0870.wav");
const meeting = bytesOf("ja-kokoro-meeting.wav"); // 会議は午後三時から始まります

t.test("text as people write it, on an appliance", async (t) => {
	const earshot = await sharedAppliance();
	const { url, token } = earshot;
	const Authorization = `Bearer ${token}`;

	const make = async (kind: string, id: string, words: readonly string[]) => {
		const answer = await fetch(`${url}/v1/${kind}`, {
			method: "POST",
			headers: { Authorization, "Content-Type": "application/json" },
			body: JSON.stringify({ id, lang_type: "en-US", words }),
		});
		t.match(await answer.json(), { status: "000000" });
	};
	const recognize = async (
		speech: Buffer,
		options: Readonly<Record<string, string>>,
	): Promise<string> => {
		const query = new URLSearchParams({ format: "wav", ...options });
		const answer = await fetch(`${url}/v1/asr/api?${query}`, {
			method: "POST",
			headers: { Authorization },
			body: speech,
		});
		const { data } = (await answer.json()) as { data: { result: string } };
		return data.result;
	};

	await make("correction-words", "names", [
		"john dashwood|jon dashwood,J. Dashwood",
		"to do,TO DO",
	]);
	await make("forbidden-words", "money", ["leisure", "power"]);
	const lists = { correction_words_id: "names", forbidden_words_id: "all" };

	t.test("corrections and forbidden words over HTTP", async (t) => {
		const plain = await recognize(dashwood, { lang_type: "en" });
		t.match(plain, /John Dashwood had then leisure/);
		const written = await recognize(dashwood, { lang_type: "en", ...lists });
		t.equal(
			written,
			plain
				.replace("John Dashwood", "J. Dashwood")
				.replace("to do", "TO DO")
				.replace("leisure", "*******")
				.replace("power", "*****"),
		);
	});

	t.test("and live: partials, words and the whole", async (t) => {
		const client = new EarshotClient({ url, token });
		const results: Result[] = [];
		const reading = (async () => {
			for await (const result of client) results.push(result);
		})();
		await client.start({
			lang_type: "en",
			format: "wav",
			enable_words: true,
			...lists,
		});
		for (let at = 0; at < dashwood.length; at += 16_000)
			await client.send(dashwood.subarray(at, at + 16_000));
		const { text, words } = await client.stop();
		await reading;
		t.match(text, /J\. Dashwood had then \*{7} to consider/);
		t.equal(
			words
				.map((it) => it.word)
				.join("")
				.replace(/\W/g, ""),
			text.replace(/\W/g, ""),
			"words say what the text says",
		);
		for (const result of results)
			if (result.is === "partial")
				t.notMatch(result.text, /leis|powe|John D/i, result.text);
	});

	t.test("numbers in digits or in words, as asked for", async (t) => {
		const lang_type = "ja";
		t.match(await recognize(meeting, { lang_type }), /午後3時/);
		t.match(
			await recognize(meeting, {
				lang_type,
				enable_inverse_text_normalization: "false",
			}),
			/午後三時/,
		);
	});
});

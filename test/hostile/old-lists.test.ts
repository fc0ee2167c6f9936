/** Lists that were kept before they had limits: they are there, and hold nobody. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { openStore } from "../../runtime/store/open-store.js";
import { repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { LiveClient } from "../live/live-client.js";
import { HttpFields } from "./http-fields.js";
import { turnMsMax } from "./loop-probe.js";
import { startWatched } from "./watched-appliance.js";

const wrongForms = Array.from({ length: 1_200_000 }, (_, it) =>
	it.toString(36),
);
/** Seven megabytes, and one entry. */
const giant = `${wrongForms.join("|")},x`;
const path = "/v1/correction-words";

/** The state of an appliance that took anything. */
async function oldState() {
	const dir = mkdtempSync(join(tmpdir(), "earshot-e2e-"));
	const store = await openStore({ dir, as: "visit" });
	const list = { id: "old", name: "", language: "en-US" };
	await store.correctionWords.create({ ...list, entries: [giant, "a,b"] }, 1);
	await store.correctionWords.create(
		{
			...list,
			id: "many",
			// within the limits of an entry, and too many
			entries: Array.from({ length: 10_000 }, (_, entry) =>
				Array.from({ length: 20 }, (_, it) => `${entry}x${it}`)
					.join("|")
					.concat(",x"),
			),
		},
		2,
	);
	const options = { name: "tester", scopes: ["asr", "hotwords"] } as const;
	const { token } = await store.tokens.create({
		...options,
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 3600,
	});
	await store.close();
	return { dir, token };
}

const { dir, token } = await oldState();
const { appliance, main, engine } = await startWatched(
	t,
	dir,
	await tinyModel(),
);
const { url } = appliance;
const http = new HttpFields(url, token);

const clip = readFileSync(join(repository, "models/whisper-base/probe.wav"));

/** @returns the status that it ended with. */
async function recognize(options: object): Promise<string | undefined> {
	const client = await LiveClient.open(url, { token });
	client.start({ format: "wav", ...options });
	client.audio(clip);
	client.stop();
	await client.closed;
	return client.messages.at(-1)?.header.status;
}

async function shown(path: string): Promise<string> {
	const headers = { Authorization: `Bearer ${token}` };
	return (await fetch(url + path, { headers })).text();
}

/** Of a recognition: the engine's longest turn; the least of three, since garbage may be collected during one. */
async function engineMs(options: object): Promise<number> {
	let leastMs = Number.POSITIVE_INFINITY;
	for (let i = 0; i < 3; i++) {
		await engine.longestTurnMs();
		assert.equal(await recognize(options), "000000");
		leastMs = Math.min(leastMs, await engine.longestTurnMs());
	}
	return leastMs;
}

/** Decoding holds its loop as well, and takes up to twice its processor time beside other work. An entry of megabytes used to hold it for a second. */
const decodingMs = 2 * (await engineMs({}));

t.test("an old list neither stops the start nor holds an engine", async (t) => {
	const heldMs = await engineMs({ correction_words_id: "old" });
	t.ok(heldMs <= decodingMs + turnMsMax, `the engine: ${heldMs} ms`);
	t.match(
		appliance.log.filter((it) => it.includes("correction_wrong_forms_max")),
		[/"list":"correction-words\/old@.*"entries":1/],
		"said once",
	);
	const old = () => recognize({ correction_words_id: "old" });
	t.equal(await main.bounded("old", old), "000000");
	const many = () => recognize({ correction_words_id: "many" });
	t.equal(await main.bounded("many", many), "200002");

	// one entry of megabytes, which today's limits refuse, is read in one piece
	const pieceMsMax = 2 * turnMsMax;
	const get = () => http.ask("GET", `${path}/old`);
	t.equal(await main.bounded("GET", get, pieceMsMax), "000000");
	const { data } = JSON.parse(await shown(`${path}/old`));
	t.strictSame(data.words, [giant, "a,b"], "shown as it is");
	const download = `${path}/download/old`;
	const head = () => shown(download).then((text) => text.slice(0, 14));
	t.equal(
		await main.bounded("a download", head, pieceMsMax),
		"wrong,right\n0|",
	);
	t.equal(await shown(download), `wrong,right\n${giant}\na,b\n`);
	const words = JSON.stringify({ words: [giant] });
	const remove = () => http.ask("DELETE", `${path}/old`, words);
	t.equal(await main.bounded("DELETE", remove, pieceMsMax), "000000");
	const left = JSON.parse(await shown(`${path}/old`));
	t.match(left, { data: { words: ["a,b"] } }, "and taken out");
});

t.test("lists that are as long as they may be hold nobody", async (t) => {
	/** Characters of which each may be composed in two ways. */
	const composed = (count: number, at: number) =>
		Array.from({ length: count }, (_, it) =>
			String.fromCodePoint(0xc0 + ((at * 7 + it * it * (at % 53)) % 60)),
		).join("");
	const entries = Array.from(
		{ length: 20_000 },
		(_, it) => `${composed(20, it)}${it}`,
	);
	const ids = [0, 1, 2, 3].map((it) => `v${it}`);
	for (const id of ids) {
		const words = entries.map((it) => `${id}${it},right`);
		const body = JSON.stringify({ id, lang_type: "en", words });
		const status = await main.bounded(id, () => http.ask("POST", path, body));
		t.match(status, /000000|211409/);
	}
	const options = { correction_words_id: ids.join("|") };
	const heldMs = await engineMs(options);
	t.ok(heldMs <= decodingMs + turnMsMax, `the engine: ${heldMs} ms`);
	t.equal(await main.bounded("all", () => recognize(options)), "000000");
});

/**
 * What lists of words cost the main process: the whole API on a real store in this process, its client in a thread. For each operation the time until the
 * client has its answer, and the longest time that the event loop was held meanwhile.
 * Usage: scripts/bench word-lists [--rounds N] [--record]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { Api } from "../../runtime/api/api.js";
import { ApplianceClock } from "../../runtime/clock/appliance-clock.js";
import { thisMachine } from "../../runtime/clock/machine-time.js";
import { loadConfig } from "../../runtime/config/load.js";
import { createLogger } from "../../runtime/log/log.js";
import { openStore } from "../../runtime/store/open-store.js";
import { WordLists } from "../../runtime/word-lists/word-lists.js";
import { correctionLimits } from "../../runtime/words/correction.js";
import { judged, report } from "./report.js";
import { median } from "./statistics.js";
import type { Reply, Request } from "./word-lists/client.js";

const { values } = parseArgs({
	options: {
		rounds: { type: "string", default: "20" },
		record: { type: "boolean", default: false },
	},
});
const rounds = Number(values.rounds);
const entries = 20_000;
const lists = 1000;
const replacedMsMax = 200;
const heldMsMax = 20;
const listedMsMax = 20;

const dir = mkdtempSync(join(tmpdir(), "earshot-bench-"));
const store = await openStore({ dir, as: "serve" });
const config = loadConfig({
	environment: { EARSHOT_STATE_DIR: dir },
	overrides: [
		"server.port=0",
		"server.host=127.0.0.1",
		"auth.rate_burst=100000",
	],
}).values;
const log = createLogger({ ...config.log, level: "error" });
const words = new WordLists({
	store,
	categories: config.hotwords.categories,
	corrections: correctionLimits(config.limits),
	lane: { open: () => Promise.reject(new Error("nothing is recognized here")) },
	log,
});
const api = new Api({
	config,
	store,
	words,
	bodyShelf: { begin: () => Promise.reject(new Error("no body is that long")) },
	lane: words.lane,
	languages: [],
	health: { health: () => [] },
	clock: await ApplianceClock.open({
		rows: store.clock,
		machine: thisMachine,
		isSynchronised: async () => true,
		lastWrittenSeconds: undefined,
		builtSeconds: 0,
		log,
	}),
	log,
	version: "0",
});
const url = `http://127.0.0.1:${await api.start()}/v1/hotwords`;
const { token } = await store.tokens.create({
	name: "bench",
	scopes: ["hotwords"],
	nowSeconds: Date.now() / 1000,
	ttlSeconds: 3600,
});
const client = new Worker(new URL("./word-lists/client.js", import.meta.url));
const delay = monitorEventLoopDelay({ resolution: 1 });
delay.enable();

interface Measured {
	readonly milliseconds: readonly number[];
	/** The longest of each round. */
	readonly heldsMs: readonly number[];
}

try {
	await ask("POST", "", { id: "big", lang_type: "ja", words: [] });
	const replaced = await measure((round) =>
		ask("PUT", "/big", { words: japanese(round) }),
	);
	const added = await measure(async (round) => {
		await ask("PUT", "/big", { words: japanese(round).slice(0, entries / 2) });
		delay.reset();
		return ask("POST", "/big", {
			words: japanese(round).slice(entries / 2),
		});
	});
	const read = await measure(() => ask("GET", "/big"));
	await ask("POST", "", { id: "long", lang_type: "ja", words: longest() });
	const longReplaced = await measure(() =>
		ask("PUT", "/long", { words: longest() }),
	);
	const plain = { lang_type: "en", words: ["one", "two"] };
	for (let index = 0; index < lists - 2; index++)
		await ask("POST", "", { ...plain, name: `list ${index}` });
	const listed = await measure(() => ask("GET", "?page_size=100&name=list"));
	const text = chineseText();
	await ask("POST", "", { id: "text", lang_type: "zh", words: [] });
	const extracted = await measure(() =>
		ask("PUT", "/text", { words: [text], auto_extraction: true }),
	);
	show({ replaced, added, read, longReplaced, listed, extracted });
	const time = median(replaced.milliseconds);
	const heldMs = Math.max(...replaced.heldsMs);
	const textHeldMs = Math.max(...extracted.heldsMs);
	const listTime = median(listed.milliseconds);
	report(
		[
			{
				what: `word lists: ${entries} Japanese entries replaced, median / event loop held at most, ${rounds} times`,
				earshot: `${inMilliseconds(time)} / ${inMilliseconds(heldMs)}`,
				goal: judged(
					`< ${replacedMsMax} ms, held < ${heldMsMax} ms`,
					time < replacedMsMax && heldMs < heldMsMax,
				),
			},
			{
				what: `word lists: a page of 100 out of ${lists} databases by name, median`,
				earshot: inMilliseconds(listTime),
				goal: judged(`< ${listedMsMax} ms`, listTime < listedMsMax),
			},
			{
				what: "word lists: keywords of a Chinese text of 1,000,000 characters, median / event loop held at most",
				earshot: `${inMilliseconds(median(extracted.milliseconds))} / ${inMilliseconds(textHeldMs)}`,
				goal: judged(`held < ${heldMsMax} ms`, textHeldMs < heldMsMax),
			},
		],
		values.record,
	);
} finally {
	await client.terminate();
	await api.stop();
	await words.close();
	await store.close();
	rmSync(dir, { recursive: true, force: true });
}

/** The first round is thrown away. @param act what it is to be measured by. */
async function measure(
	act: (round: number) => Promise<Reply>,
): Promise<Measured> {
	const milliseconds: number[] = [];
	const heldsMs: number[] = [];
	for (let round = 0; round <= rounds; round++) {
		delay.reset();
		const reply = await act(round);
		if (round === 0) continue;
		milliseconds.push(reply.milliseconds);
		heldsMs.push(delay.max / 1e6);
	}
	return { milliseconds, heldsMs };
}

async function ask(
	method: string,
	path: string,
	body?: object,
): Promise<Reply> {
	const request: Request = {
		method,
		url: url + path,
		token,
		...(body && { body: JSON.stringify(body) }),
	};
	delay.reset(); // what making the request took is not the server's
	client.postMessage(request);
	const reply = await new Promise<Reply>((resolve) =>
		client.once("message", resolve),
	);
	if (reply.status !== "000000") throw new Error(JSON.stringify(reply));
	return reply;
}

function japanese(round: number): string[] {
	return Array.from(
		{ length: entries },
		(_, it) => `鈴木商店${round}の${it}号,${kana(it)},固有名詞`,
	);
}

/** As long as entries may be. */
function longest(): string[] {
	return Array.from({ length: entries }, (_, it) => {
		const number = `${it}`.padStart(6, "0");
		return `${number}${"漢".repeat(24)},${kana(it).padEnd(30, "ん")},固有名詞`;
	});
}

function kana(number: number): string {
	return [...`${number}`]
		.map((digit) => "あいうえおかきくけこ"[Number(digit)])
		.join("");
}

function chineseText(): string {
	const sentence =
		"去年底，北京大学的研究人员在《自然》杂志上发表了关于量子计算的论文，提出了一种新的纠错算法。";
	return sentence.repeat(Math.ceil(1e6 / sentence.length)).slice(0, 1e6);
}

function show(all: Readonly<Record<string, Measured>>): void {
	for (const [name, { milliseconds, heldsMs }] of Object.entries(all))
		console.log(
			`${name}: median ${inMilliseconds(median(milliseconds))}, longest ${inMilliseconds(Math.max(...milliseconds))}; event loop held for ${inMilliseconds(Math.min(...heldsMs))} in the best round, ${inMilliseconds(median(heldsMs))} in the median, ${inMilliseconds(Math.max(...heldsMs))} in the worst`,
		);
}

function inMilliseconds(milliseconds: number): string {
	return `${milliseconds.toFixed(1)} ms`;
}

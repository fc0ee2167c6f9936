/** Lists of `endpoints.*` reach the recognitions of clients that can't name any; requests of our own interface name theirs. */
import t from "tap";
import type { Store } from "../../runtime/store/open-store.js";
import { CallClient } from "../calls/call-client.js";
import { loud, runningCalls } from "../calls/running-calls.js";
import { startFiles, wavBytes } from "../files/running-files.js";
import { until } from "../fixtures/eventually.js";
import { RealtimeClient } from "../realtime/realtime-client.js";
import { transcribe } from "./transcribe.js";

const endpoints = {
	default_language: "zh",
	hotwords_id: "names",
	correction_words_id: "spelling|deleted",
	forbidden_words_id: "all",
};
const correction = "air shot,earshot";
/** What a recognition gets. */
const all = {
	hotwords: { list: { entries: ["Dashwood"] }, weight: 0.4 },
	corrections: [{ entries: [correction] }],
	forbidden: [{ entries: ["darn"] }],
};

async function makeLists(store: Store) {
	const make = (
		kind: "hotwords" | "correctionWords" | "forbiddenWords",
		id: string,
		...entries: string[]
	) => store[kind].create({ id, name: "", language: "en-US", entries }, 0);
	await make("hotwords", "names", "Dashwood");
	await make("correctionWords", "spelling", correction);
	await make("forbiddenWords", "rude", "darn");
}

t.test("of OpenAI's interfaces", async (t) => {
	const api = await startFiles(t, { overrides: { endpoints } });
	const { lane, taskService, url, store } = api;
	const token = await api.makeToken(["asr"]);
	await makeLists(store);
	const post = (fields: Record<string, string>, seconds: number) =>
		transcribe({ url, token }, wavBytes(seconds), fields);

	t.test("a short file", async (t) => {
		for (const fields of [{}, { language: "en" }]) {
			await post(fields, 1);
			t.match(lane.options, all);
		}
		await post({ language: "en", prompt: "Steele, Ferrars" }, 1);
		const { corrections, forbidden } = all;
		const list = { entries: ["Steele", "Ferrars"] };
		t.match(lane.options, { corrections, forbidden, hotwords: { list } });
		await post({ language: "ja" }, 1);
		t.notOk("hotwords" in (lane.options ?? {}), "its lists are of English");
		const missing = await post(
			{ language: "en", correction_words_id: "deleted" },
			1,
		);
		t.equal(missing.status, 404, "a list that the request names itself");
	});

	t.test("a long one, whose task names them", async (t) => {
		const request = post({ language: "en" }, 120);
		await until(() => taskService.submitted.length === 1);
		const { id, options } = taskService.last;
		t.match(options, {
			hotwordsId: "names",
			correctionWordsId: "spelling",
			forbiddenWordsId: "rude",
		});
		await taskService.remove(id);
		await request;
	});

	t.test("a Realtime session", async (t) => {
		lane.behaviour = { holdResult: true };
		const client = await RealtimeClient.open(url, { token });
		const opened = lane.opened.length;
		client.append(48_000);
		await until(() => lane.opened.length > opened);
		t.match(lane.options, all);
		client.socket.close();
		lane.behaviour = {};
	});

	t.test("and nobody else's", async (t) => {
		const Authorization = `Bearer ${token}`;
		await api.recognize("lang_type=en", { headers: { Authorization } });
		const { hotwords, corrections, forbidden } = lane.options ?? {};
		t.same([hotwords, corrections, forbidden], new Array(3).fill(undefined));
	});

	t.test("a missing list is logged once", async (t) => {
		const lines = api.log.filter((it) => it.includes("deleted does not exist"));
		t.equal(lines.length, 1);
	});
});

t.test("of calls", async (t) => {
	const { lane, url, token, store, opened } = await runningCalls(
		t,
		{},
		{ endpoints },
	);
	await makeLists(store);
	const query = { lang_type: "en", encoding: "mulaw" };
	const call = await CallClient.open({ url, token, query });
	call.audio(loud(1600), 160);
	await opened(1);
	t.match(lane.options, all);
	call.socket.close();
});

import { setImmediate as nextTurn } from "node:timers/promises";
import t, { type Test } from "tap";
import { CodedError } from "../../runtime/errors.js";
import type { WordList } from "../../runtime/words/word-list.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { until } from "../fixtures/eventually.js";
import { LiveClient } from "../live/live-client.js";
import { transcribe } from "./transcribe.js";
import { type Lists, startLists } from "./word-lists.js";

const hotwords = "/v1/hotwords";
const corrections = "/v1/correction-words";
const forbidden = "/v1/forbidden-words";

/** One recognition over HTTP, started and not finished. */
async function begin(lists: Lists, query: string) {
	const { lane } = lists.api;
	const before = lane.opened.length;
	lane.behaviour = { holdResult: true };
	const answer = lists.api.recognize(query);
	await until(async () => lane.opened.length > before);
	const recognition = lane.last;
	return { answer, recognition, options: lane.options };
}

async function statusOf(lists: Lists, id: string): Promise<unknown> {
	const { data } = await lists.ask("GET", `${hotwords}/${id}`);
	return (data as { status: number }).status;
}

t.test("the lists that a request names reach the recognition", async (t) => {
	const lists = await startLists(t);
	const { make, api } = lists;
	const id = await make(hotwords, ["earshot", "Whisper"]);
	const one = await make(corrections, ["air shot,earshot"]);
	const two = await make(corrections, ["a,b"]);
	const three = await make(forbidden, ["darn"]);
	await make(corrections, ["甲,乙"], { lang_type: "zh" });
	await make(corrections, []);
	const query = (more: string) => api.recognize(`lang_type=en&${more}`);

	await query(
		`hotwords_id=${id}&hotwords_weight=0.9&correction_words_id=${two}|${one}|${two}&forbidden_words_id=${three}`,
	);
	const first = api.lane.options;
	t.match(first, {
		hotwords: { weight: 0.9, list: { entries: ["earshot", "Whisper"] } },
		corrections: [{ entries: ["a,b"] }, { entries: ["air shot,earshot"] }],
		forbidden: [{ entries: ["darn"] }],
	});
	t.equal(first?.corrections?.length, 2, "each once");
	t.match(first?.hotwords?.list.key, new RegExp(`^hotwords/${id}@`));

	await query(`hotwords_id=${id}`);
	t.equal(api.lane.options?.hotwords?.weight, 0.4);
	t.equal(
		api.lane.options?.hotwords?.list,
		first?.hotwords?.list,
		"the same object while the list is the same",
	);
	await lists.ask("POST", `${hotwords}/${id}`, { words: ["Whisper"] });
	await lists.ask("PUT", `${hotwords}/${id}`, {
		words: ["earshot", "Whisper"],
	});
	await query(`hotwords_id=${id}`);
	t.equal(
		api.lane.options?.hotwords?.list,
		first?.hotwords?.list,
		"also where it was written again",
	);
	t.notOk("corrections" in (api.lane.options ?? {}));

	await query("correction_words_id=all&forbidden_words_id=all");
	t.same(
		api.lane.options?.corrections?.map((it) => it.entries),
		[["air shot,earshot"], ["a,b"]],
		"all: those of the language, oldest first, without empty ones",
	);
	t.equal(api.lane.options?.forbidden?.length, 1);

	await query("");
	for (const name of ["hotwords", "corrections", "forbidden", "spoken"])
		t.notOk(name in (api.lane.options ?? {}), name);
	await query("enable_spoken=true");
	t.notOk("spoken" in (api.lane.options ?? {}), "Japanese only");
	for (const language of ["ja", "auto"]) {
		await api.recognize(`lang_type=${language}&enable_spoken=true`);
		t.equal(api.lane.options?.spoken, true, language);
	}
});

t.test(
	"hotwords in the request take precedence, and follow the rules",
	async (t) => {
		const { api, make } = await startLists(t);
		const id = await make(hotwords, ["stored"]);
		const listed = async (lang: string, list: readonly string[]) => {
			const text = encodeURIComponent(JSON.stringify(list));
			const answer = await api.recognize(
				`lang_type=${lang}&hotwords_list=${text}&hotwords_id=${lang === "en" ? id : "nobody"}`,
			);
			t.equal(answer.status, "000000");
			return api.lane.options?.hotwords?.list;
		};
		const one = await listed("en", ["b", "a", "b", "x,y", "!", ""]);
		t.same(one?.entries, ["b", "a"]);
		const same = await listed("en", [" b", "a"]);
		t.equal(same?.key, one?.key, "a key by what it holds");
		t.not((await listed("en", ["a", "b"]))?.key, one?.key);
		t.same(
			(await listed("ja", ["鈴木", "佐藤,さとう,人名", "田中,たなか"]))
				?.entries,
			["鈴木", "佐藤,さとう,人名"],
		);
		t.equal(await listed("en", ["!"]), undefined, "nothing is left of it");
		t.same(
			(await listed("en", []))?.entries,
			["stored"],
			"an empty list is none",
		);
	},
);

t.test("lists that do not exist, or have another language", async (t) => {
	const { api, make } = await startLists(t);
	const id = await make(hotwords, ["w"], { lang_type: "zh" });
	const cw = await make(corrections, ["a,b"], { lang_type: "ja" });
	for (const [query, status, message] of [
		[`hotwords_id=${id}`, "200002", /^hotwords_id must be of the language/],
		["hotwords_id=constructor", "210404", /constructor does not exist$/],
		[`correction_words_id=${cw}`, "200002", /^correction_words_id must be of/],
		[`correction_words_id=${cw}|x`, "200002", /must be of the language/],
		["correction_words_id=x", "211404", /correction vocabulary x does not/],
		["forbidden_words_id=x|all", "212404", /list x does not exist$/],
	] as const)
		t.match(await api.recognize(`lang_type=en&${query}`), { status, message });
	t.equal(api.lane.opened.length, 0);
});

t.test("with auto, lists of each language that may be spoken", async (t) => {
	const { api, make } = await startLists(t);
	const { lane } = api;
	await make(forbidden, ["darn"], { lang_type: "en" });
	await make(forbidden, ["笨蛋"], { lang_type: "zh", id: "rude" });
	await make(forbidden, ["馬鹿"], { lang_type: "ja-en" });
	await make(hotwords, ["鈴木,すずき,人名"], { lang_type: "ja", id: "names" });
	const entriesOf = (lists: readonly WordList[] = []) =>
		lists.flatMap(({ entries }) => entries);
	await api.recognize("lang_type=auto&forbidden_words_id=all");
	t.same(
		entriesOf(lane.options?.forbidden).sort(),
		["darn", "笨蛋"],
		"mixed speech is not identified",
	);
	const named = "forbidden_words_id=rude&hotwords_id=names";
	t.match(await api.recognize(`lang_type=auto&${named}`), {
		status: "000000",
	});
	t.same(entriesOf(lane.options?.forbidden), ["笨蛋"]);
	t.same(lane.options?.hotwords?.list.entries, ["鈴木,すずき,人名"]);

	const client = await LiveClient.open(api.url, { token: api.token });
	client.send("StartRecognition", {
		lang_type: "auto",
		forbidden_words_id: "all",
		hotwords_list: ["佐藤,さとう,人名", "Smith"],
	});
	await client.receive("RecognitionStarted");
	t.equal(lane.options?.forbidden?.length, 2);
	t.same(lane.options?.hotwords?.list.entries, ["佐藤,さとう,人名", "Smith"]);
	client.socket.terminate();

	const fields = { forbidden_words_id: "all" };
	await transcribe(api, pcmWav(Buffer.alloc(3200)), fields);
	t.equal(lane.options?.forbidden?.length, 2, "a language that is not given");
	t.match(await api.recognize(`lang_type=ja&${named}`), {
		status: "200002",
		message: /of the language of lang_type, ja-JP; rude is zh/,
	});
});

t.test("no request names more words than can be applied", async (t) => {
	const { api, make } = await startLists(t);
	const many = Array.from({ length: 20_000 }, (_, it) => `w${it}`);
	for (let index = 0; index < 6; index++)
		await make(forbidden, many, { id: `f${index}` });
	t.match(await api.recognize("lang_type=en&forbidden_words_id=all"), {
		status: "200002",
		message: /at most 100000 entries together, got 120000$/,
	});
	const fields = { language: "en", forbidden_words_id: "all" };
	const answer = await transcribe(api, pcmWav(Buffer.alloc(3200)), fields);
	t.match(await answer.json(), { error: { param: "forbidden_words_id" } });
	t.match(
		await api.recognize("lang_type=en&forbidden_words_id=f0|f1|f2|f3|f4"),
		{ status: "000000" },
	);
	t.equal(api.lane.options?.forbidden?.length, 5);
});

t.test("nor is a request refused for lists of other languages", async (t) => {
	const { api, make } = await startLists(t);
	const many = Array.from({ length: 20_000 }, (_, it) => `w${it}`);
	await make(corrections, ["a,b"], { lang_type: "zh" });
	for (const lang_type of ["zh", "en"]) // the default language of these tests is English
		for (let index = 0; index < 3; index++)
			await make(forbidden, many, { lang_type, id: `${lang_type}${index}` });
	const all = "correction_words_id=all&forbidden_words_id=all";
	t.match(await api.recognize(`lang_type=auto&${all}`), { status: "000000" });
	const keys = api.lane.options?.forbidden?.map(({ key }) => key);
	t.match(keys, [/en0/, /en1/, /en2/, /zh0/, /zh1/], "as far as they fit");
	t.equal(keys?.length, 5);
	t.equal(api.lane.options?.corrections?.length, 1);
});

t.test(
	"a database in use can't be deleted, and its users keep their version",
	async (t) => {
		const lists = await startLists(t);
		const { ask, make } = lists;
		const id = await make(hotwords, ["before"]);
		const named = `${hotwords}/${id}`;
		const running = await begin(lists, `lang_type=en&hotwords_id=${id}`);
		const second = await begin(lists, `lang_type=en&hotwords_id=${id}`);
		t.equal(await statusOf(lists, id), 1);
		const used = { kind: "hotwords", id, in_use: true, tasks: 0 };
		t.match(await ask("GET", "/v1/word-lists/uses"), {
			data: [{ ...used, microphones: [] }],
		});
		t.match(await ask("DELETE", named), {
			http: 409,
			status: "210423",
			message: /is in use and can't be deleted$/,
		});
		t.match(await ask("PUT", named, { words: ["after"] }), {
			status: "000000",
		});
		t.match(await ask("DELETE", named, { words: ["after"] }), { data: 0 });
		t.match(await ask("POST", named, { words: ["more"] }), { data: 1 });
		t.same(running.options?.hotwords?.list.entries, ["before"]);
		const third = await begin(lists, `lang_type=en&hotwords_id=${id}`);
		t.same(third.options?.hotwords?.list.entries, ["more"]);
		t.not(
			third.options?.hotwords?.list.key,
			running.options?.hotwords?.list.key,
		);

		running.recognition.release();
		t.match(await running.answer, { status: "000000" });
		second.recognition.fail(new CodedError("200006"));
		t.match(await second.answer, { status: "200006" });
		t.equal(await statusOf(lists, id), 1, "the third still runs");
		third.recognition.release();
		await third.answer;
		t.equal(await statusOf(lists, id), 0);
		t.match(await ask("DELETE", named), { status: "000000" });
		lists.api.lane.behaviour = {};
		const again = await make(hotwords, ["new"], { id });
		await lists.api.recognize(`lang_type=en&hotwords_id=${again}`);
	},
);

t.test("a list that reuses an id is another list", async (t) => {
	const { ask, make, api } = await startLists(t);
	const keys = new Set<string | undefined>();
	for (const word of ["one", "two", "one"]) {
		await make(hotwords, [word], { id: "same" });
		await api.recognize("lang_type=en&hotwords_id=same");
		t.same(api.lane.options?.hotwords?.list.entries, [word]);
		keys.add(api.lane.options?.hotwords?.list.key);
		await ask("DELETE", `${hotwords}/same`);
	}
	t.equal(keys.size, 3);
});

const endings: Record<string, (lists: Lists, query: string) => Promise<void>> =
	{
		"a client that vanishes": async (lists, query) => {
			const abort = new AbortController();
			const response = lists.api
				.recognize(query, { signal: abort.signal })
				.catch(() => {});
			await until(async () => lists.api.lane.opened.length > 0);
			t.equal(await statusOf(lists, "used"), 1);
			abort.abort();
			await response;
		},
		"a recognition that gets no slot": async (lists, query) => {
			lists.api.lane.behaviour = { refuse: new CodedError("100004") };
			t.match(await lists.api.recognize(query), { status: "100004" });
		},
		"a streaming client that vanishes": async (lists) => {
			const client = await startLive(lists);
			t.equal(await statusOf(lists, "used"), 1);
			client.socket.terminate();
		},
		"a streaming client that vanishes while it waits for a slot": async (
			lists,
		) => {
			lists.api.lane.behaviour = { holdSlot: true };
			const client = await startLive(lists);
			await until(async () => lists.api.lane.waiting > 0);
			t.equal(await statusOf(lists, "used"), 1);
			client.socket.terminate();
		},
		"a streaming session that ends": async (lists) => {
			const client = await startLive(lists);
			await client.receive("RecognitionStarted");
			client.audio(320);
			client.stop();
			await client.receive("RecognitionCompleted");
			t.equal(await statusOf(lists, "used"), 0, "released before the report");
		},
	};

async function startLive(lists: Lists) {
	const client = await LiveClient.open(lists.api.url, { token: lists.token });
	client.send("StartRecognition", { lang_type: "en", hotwords_id: "used" });
	await until(
		async () => lists.api.lane.waiting + lists.api.lane.opened.length > 0,
	);
	return client;
}

for (const [name, end] of Object.entries(endings))
	t.test(`${name} releases its database`, async (t: Test) => {
		const lists = await startLists(t);
		await lists.make(hotwords, ["w"], { id: "used" });
		lists.api.lane.behaviour = {
			holdResult: name !== "a streaming session that ends",
		};
		await end(lists, "lang_type=en&hotwords_id=used");
		await until(async () => (await statusOf(lists, "used")) === 0);
		t.match(await lists.ask("DELETE", `${hotwords}/used`), {
			status: "000000",
		});
	});

t.test("a database is in use while its audio is being sent", async (t) => {
	const lists = await startLists(t);
	await lists.make(hotwords, ["w"], { id: "used" });
	const socket = lists.api.socket();
	socket.write(
		`POST /v1/asr/api?lang_type=en&hotwords_id=used HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${lists.token}\r\nContent-Length: 3200\r\n\r\nsome`,
	);
	await until(async () => (await statusOf(lists, "used")) === 1);
	t.equal(lists.api.lane.opened.length, 0, "nothing is recognized yet");
	t.match(await lists.ask("DELETE", `${hotwords}/used`), { status: "210423" });
	socket.destroy();
	await until(async () => (await statusOf(lists, "used")) === 0);
});

t.test("a list without entries is in use, too", async (t) => {
	const lists = await startLists(t);
	const { ask, make, api } = lists;
	await make(hotwords, [], { id: "used" });
	await make(corrections, [], { id: "used" });
	const inUse = async (code: string, path: string) => {
		t.equal(await statusOf(lists, "used"), 1);
		t.match(await ask("DELETE", `${path}/used`), { status: `${code}423` });
	};
	const { answer, recognition, options } = await begin(
		lists,
		"lang_type=en&hotwords_id=used&correction_words_id=used",
	);
	for (const name of ["hotwords", "corrections"])
		t.notOk(name in (options ?? {}), `nothing to look for: ${name}`);
	await inUse("210", hotwords);
	await inUse("211", corrections);
	recognition.release();
	await answer;
	t.equal(await statusOf(lists, "used"), 0);

	const client = await startLive(lists);
	await client.receive("RecognitionStarted");
	t.notOk("hotwords" in (api.lane.options ?? {}));
	await inUse("210", hotwords);
	client.socket.terminate();
	await until(async () => (await statusOf(lists, "used")) === 0);
	t.match(await ask("DELETE", `${hotwords}/used`), { status: "000000" });
});

t.test("a database is either used or deleted, never both", async (t) => {
	const lists = await startLists(t);
	const outcomes = new Set<string>();
	for (let round = 0; round < 30; round++) {
		lists.api.lane.behaviour = { holdResult: true };
		await lists.make(hotwords, ["w"], { id: "used" });
		const query = "lang_type=en&hotwords_id=used";
		const early = round % 2 ? lists.api.recognize(query) : undefined;
		for (let turn = 0; early && turn < round; turn++) await nextTurn();
		const deleting = lists.ask("DELETE", `${hotwords}/used`);
		const asking = early ?? lists.api.recognize(query);
		const deleted = await deleting;
		if (deleted.status === "210423") {
			await until(async () => lists.api.lane.held > 0);
			lists.api.lane.last.release();
		}
		const expected = deleted.status === "210423" ? "000000" : "210404";
		t.equal((await asking).status, expected, `after ${deleted.status}`);
		outcomes.add(deleted.status);
		await lists.ask("DELETE", `${hotwords}/used`);
	}
	t.comment([...outcomes].join(" "));
});

t.test("nor is one of all vocabularies", async (t) => {
	const lists = await startLists(t);
	const { lane } = lists.api;
	const outcomes = new Set<string>();
	for (let round = 0; round < 30; round++) {
		lane.behaviour = { holdResult: true };
		await lists.make(corrections, ["a,b"], { id: "used" });
		const before = lane.opened.length;
		const deleting = lists.ask("DELETE", `${corrections}/used`);
		for (let turn = 0; turn < round / 3; turn++) await nextTurn();
		const asking = lists.api.recognize("lang_type=en&correction_words_id=all");
		await until(async () => lane.opened.length > before);
		const isUsed = "corrections" in (lane.options ?? {});
		const { status } = await deleting;
		t.equal(status, isUsed ? "211423" : "000000", isUsed ? "used" : "not used");
		outcomes.add(status);
		lane.last.release();
		await asking;
		await lists.ask("DELETE", `${corrections}/used`);
	}
	t.comment([...outcomes].join(" "));
});

t.test("a streaming session is refused like a request", async (t) => {
	const lists = await startLists(t);
	const client = await LiveClient.open(lists.api.url, { token: lists.token });
	client.send("StartRecognition", { lang_type: "en", hotwords_id: "nobody" });
	await client.receive("TaskFailed");
	t.match(client.messages.at(-1)?.header, {
		status: "210404",
		status_text: "hotword database nobody does not exist",
	});
});

t.test("the reading is sent with the final text", async (t) => {
	const lists = await startLists(t);
	const { lane } = lists.api;
	const { answer, recognition } = await begin(
		lists,
		"lang_type=ja&enable_spoken=true",
	);
	const completed = {
		is: "completed",
		text: "今日",
		spoken: "キョウ",
		confidence: 1,
		words: [],
		audioMs: 1,
		why: "finished",
	} as const;
	recognition.emit(completed);
	t.match((await answer).data, { result: "今日", spoken: "キョウ" });

	const client = await LiveClient.open(lists.api.url, { token: lists.token });
	client.send("StartRecognition", { lang_type: "ja", enable_spoken: true });
	await client.receive("RecognitionStarted");
	client.audio(320);
	client.stop();
	await until(async () => lane.last.finished);
	lane.last.emit(completed);
	await client.receive("RecognitionCompleted");
	t.match(client.messages.at(-1)?.payload as object, {
		result: "今日",
		spoken: "キョウ",
	});
	t.notOk("spoken" in (client.messages[0]?.payload ?? {}));
});

t.test(
	"what uses the lists is reported, without those that nothing uses",
	async (t) => {
		const lists = await startLists(t);
		const { ask, make, api } = lists;
		const id = await make(hotwords, ["earshot"], { id: "names" });
		await make(hotwords, ["other"]);
		const japanese = { lang_type: "ja-JP" };
		const all = await make(corrections, ["あ,い"], {
			...japanese,
			id: "all-ja",
		});
		const microphone = (more: object) => ({
			id: "desk",
			room: "hall",
			language: "ja-JP" as const,
			references: { hotwordsWeight: 0.4, hotwordsId: id, ...more },
		});
		api.referring = [
			microphone({ correctionWordsId: "all" }),
			{ ...microphone({ hotwordsList: ["said"] }), id: "own-words" },
		];
		const microphones = [{ id: "desk", room: "hall" }];
		const answer = await ask("GET", "/v1/word-lists/uses");
		const endpoints = false;
		const unheld = { in_use: false, tasks: 0, microphones, endpoints };
		t.same(answer.data, [
			{ ...unheld, kind: "hotwords", id },
			{ ...unheld, kind: "correction-words", id: all },
		]);
		const other = await api.ask("/v1/word-lists/uses", {
			headers: { Authorization: `Bearer ${api.token}` },
		});
		t.equal(other.http, 403, "for those who may change lists");
	},
);

/** Limits of stored word lists: the number per caller, the total bytes, and the disk's reserve. */
import { join } from "node:path";
import t, { type Test } from "tap";
import { Database } from "../../runtime/store/database.js";
import { type ListLimits, ListQuota } from "../../runtime/store/list-quota.js";
import { StoreError } from "../../runtime/store/store-error.js";
import { WordListRepository } from "../../runtime/store/word-lists.js";
import type { Answer } from "./running-api.js";
import { startLists } from "./word-lists.js";

const roomy: ListLimits = {
	listsPerOwnerMax: 1000,
	bytesMax: 1e9,
	reserveBytes: 0,
};
const hotwords = "/v1/hotwords";
const language = "en-US";

const limited = (t: Test, limits: Partial<ListLimits>) =>
	startLists(t, { lists: { ...roomy, ...limits } });

const isFull = (answer: Answer, message: RegExp) => ({
	...answer,
	retryAfter: answer.headers.get("retry-after"),
	isSo: message.test(answer.message),
});
const full = {
	http: 503,
	status: "100004",
	data: null,
	retryAfter: "600",
	isSo: true,
};

t.test("a caller creates no more lists than its share", async (t) => {
	const { api, ask, make } = await limited(t, { listsPerOwnerMax: 3 });
	const first = await make(hotwords, ["one"]);
	await make("/v1/correction-words", ["won,one"]);
	const list = { lang_type: language, words: ["two"] };
	const atOnce = await Promise.all(
		Array.from({ length: 5 }, () => ask("POST", hotwords, list)),
	);
	const made = atOnce.filter((it) => it.http === 200);
	t.equal(made.length, 1, "those that are being made count, too");
	const refusal =
		/^no storage left for another word list: one caller may have 3 \(limits\.lists_per_owner_max\); delete some$/;
	t.match(
		isFull(await ask("POST", "/v1/forbidden-words", list), refusal),
		full,
	);
	const { token } = await api.store.tokens.create({
		name: "other",
		scopes: ["hotwords"],
		ttlSeconds: 600,
		nowSeconds: Date.now() / 1000,
	});
	const others = await api.ask(hotwords, {
		method: "POST",
		headers: { Authorization: `Bearer ${token}` },
		body: JSON.stringify(list),
	});
	t.match(others, { http: 200 }, "another caller has its own share");
	t.match(await ask("POST", `${hotwords}/${first}`, list), { data: 2 });
	t.match(await ask("DELETE", `${hotwords}/${first}`), { http: 200 });
	t.match(await ask("POST", hotwords, list), { http: 200 });
	t.match(await ask("POST", hotwords, list), { http: 503 });
});

const longWords = (count: number, first = 0) =>
	Array.from(
		{ length: count },
		(_, it) => `word ${first + it} ${"x".repeat(18)}`,
	);

t.test("all lists together take no more than their limit", async (t) => {
	const { ask, make, wordsOf } = await limited(t, { bytesMax: 3_000_000 });
	const first = await make(hotwords, longWords(20_000)); // 1.2 MB
	const second = await make("/v1/forbidden-words", longWords(20_000));
	const list = { lang_type: language, words: longWords(19_900) };
	const refusal =
		/^no storage left for word lists: all lists together may take at most 3000000 bytes \(limits\.lists_megabytes_max\); delete some$/;
	t.match(isFull(await ask("POST", hotwords, list), refusal), full);
	const third = await make(hotwords, ["small"]);
	const place = `${hotwords}/${third}`;
	t.match(isFull(await ask("POST", place, list), refusal), full);
	t.match(isFull(await ask("PUT", place, list), refusal), full);
	t.same(await wordsOf(hotwords, third), ["small"], "nothing has changed");
	t.match(await ask("PUT", place, { name: "renamed" }), { http: 200 });
	const less = { words: longWords(19_000) };
	t.match(await ask("DELETE", `${hotwords}/${first}`, less), { data: 1000 });
	t.match(await ask("PUT", place, list), { http: 200 }, "there is room now");
	t.match(await ask("DELETE", `/v1/forbidden-words/${second}`), { http: 200 });
});

t.test("the reserve of the disk stays free", async (t) => {
	const { api, ask } = await limited(t, { reserveBytes: 2 ** 50 });
	const there = { id: "there", name: "", language };
	const database = api.store.database;
	const unbounded = new WordListRepository(database, "hotwords");
	await unbounded.create({ ...there, entries: ["one", "two"] }, 1);
	const list = { lang_type: language, words: ["three"] };
	const refusal =
		/^no storage left for word lists: \d+ bytes of the disk are kept free \(files\.disk_reserve_megabytes\)$/;
	t.match(isFull(await ask("POST", hotwords, list), refusal), full);
	const place = `${hotwords}/there`;
	t.match(isFull(await ask("POST", place, list), refusal), full);
	t.match(await ask("DELETE", place, { words: ["one"] }), { data: 1 });
	t.match(await ask("DELETE", place), { http: 200 });
});

t.test("a full disk is reported as well", async (t) => {
	const { api, ask } = await limited(t, {});
	api.store.hotwords.create = () =>
		Promise.reject(new StoreError("full", "/secret/store.mdb: no space"));
	const list = { lang_type: language, words: ["one"] };
	const answer = await ask("POST", hotwords, list);
	t.match(isFull(answer, /^no storage left .*: the disk is full$/), full);
	t.notMatch(answer.message, /secret/);
});

t.test(
	"shares hold after a restart; lists of no owner count for nobody",
	async (t) => {
		const path = join(t.testdir(), "store.mdb");
		const owner = "token:kiosk";
		const about = { name: "", language, entries: ["one"] };
		const opened = async (
			act: (lists: WordListRepository) => Promise<void>,
		): Promise<void> => {
			const database = Database.open(path);
			const limits = { ...roomy, listsPerOwnerMax: 2 };
			const quota = new ListQuota(limits, t.testdirName);
			const lists = new WordListRepository(database, "hotwords", quota);
			await lists.load();
			await act(lists);
			await database.close();
		};
		await opened(async (lists) => {
			for (const id of ["a", "b", "c"]) await lists.create({ ...about, id }, 1);
			await lists.create({ ...about, id: "mine", owner }, 1);
			await lists.create({ ...about, id: "mine-too", owner }, 1);
		});
		await opened(async (lists) => {
			await t.rejects(lists.create({ ...about, id: "d", owner }, 1), {
				message: /one caller may have 2/,
			});
			const more = async () => ({ entries: ["one", "two"] });
			await lists.change("mine", more, () => 2);
			t.equal(
				lists.find("mine")?.owner,
				owner,
				"a change does not change the owner",
			);
			await lists.create({ ...about, id: "e", owner: "app:kiosk" }, 1);
		});
	},
);

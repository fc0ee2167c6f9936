import t from "tap";
import { startLists } from "./word-lists.js";

const kinds = [
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
function entriesOf(path: string, count: number): string[] {
	const form = path === "/v1/correction-words" ? "wrong#,right" : "word#";
	return Array.from({ length: count }, (_, it) => form.replace("#", `${it}`));
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const names = (count: number) =>
	Array.from({ length: count }, (_, it) => `"n${it}":1`).join();

const timeForm = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;

for (const { path, code, prefix, header } of kinds) {
	t.test(`${path}: the seven operations`, async (t) => {
		const { ask, api, token, wordsOf } = await startLists(t);
		const [one, two, three] = entriesOf(path, 3);
		const made = await ask("POST", path, {
			name: "First",
			lang_type: "EN",
			words: [one, ` ${two} `],
		});
		t.match(made, { http: 200, status: "000000", message: "success" });
		const { id } = made.data as { id: string };
		t.match(id, new RegExp(`^${prefix}[A-Z0-9]{16}$`));
		const named = `${path}/${id}`;

		t.match(await ask("POST", named, { words: [three, one] }), {
			http: 200,
			status: "000000",
			message: "success; 1 of 2 entries dropped: 1 duplicate",
			data: 3,
		});
		const shown = `${named}?show_dropped=true`;
		t.match(await ask("POST", shown, { words: [` ${one}`, " ", one] }), {
			message: "success; 3 of 3 entries dropped: 2 duplicate, 1 empty",
			data: {
				...{ id, amount: 3 },
				dropped: [
					{ reason: "duplicate", count: 2, entries: [` ${one}`, one] },
					{ reason: "empty", count: 1, entries: [" "] },
				],
			},
		});
		t.match(await ask("PUT", shown, { name: "First" }), {
			...{ message: "success", data: { id, amount: 3, dropped: [] } },
		});
		t.match(await ask("PUT", `${named}?show_dropped=7`, { name: "First" }), {
			...{ http: 400, status: "200002", message: /show_dropped/ },
		});
		const got = await ask("GET", named);
		t.match(got.data, {
			id,
			name: "First",
			lang_type: "en-US",
			status: 0,
			amount: 3,
			update_time: timeForm,
			words: [one, two, three],
		});
		const { update_time, updated_time } = got.data as Record<string, string>;
		t.equal(update_time, updated_time);

		const other = await ask("POST", path, {
			lang_type: "zh",
			words: [],
			id: "__proto__",
		});
		t.strictSame(other.data, { id: "__proto__" });
		const { data: page } = await ask("GET", path);
		t.match(page, {
			amount: 2,
			used: 2,
			list: [
				{ id: "__proto__", name: "", lang_type: "zh-cmn-Hans-CN", amount: 0 },
				{ id, name: "First", lang_type: "en-US", amount: 3, status: 0 },
			],
		});
		const keys = Object.keys(
			(page as { list: readonly object[] }).list[1] ?? {},
		);
		t.same(keys, [
			"id",
			"name",
			"lang_type",
			"status",
			"amount",
			"update_time",
			"updated_time",
		]);

		t.match(await ask("PUT", named, { name: "Second" }), { data: { id } });
		t.match((await ask("GET", named)).data, { name: "Second", amount: 3 });
		t.match(await ask("PUT", named, { words: [two] }), { data: { id } });
		t.match((await ask("GET", named)).data, { name: "Second", words: [two] });
		t.match(await ask("PUT", named, {}), {
			status: "200001",
			message: "name or words is required",
		});

		const text = await fetch(`${api.url}${path}/download/${id}`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		t.equal(text.headers.get("content-type"), "text/plain; charset=utf-8");
		t.match(
			text.headers.get("content-disposition"),
			`attachment; filename="${id}.txt"`,
		);
		t.equal(await text.text(), `${header}\n${two}\n`);

		t.match(await ask("DELETE", named, { words: [` ${two}`, one] }), {
			http: 200,
			data: 0,
		});
		t.match(await ask("DELETE", named, { words: [] }), { data: 0 });
		t.match(await ask("DELETE", named, {}), {
			status: "200001",
			message: "words is required",
		});
		t.match(await ask("DELETE", named, "{"), { http: 400, status: "200003" });
		t.match(await ask("DELETE", named, " "), { http: 400, status: "200003" });
		t.same(await wordsOf(path, id), [], "a bad body deletes nothing");
		t.match(await ask("DELETE", named), {
			http: 200,
			status: "000000",
			message: "success",
			data: null,
		});
		for (const [method, body] of [
			["GET"],
			["DELETE"],
			["DELETE", { words: [one] }],
			["PUT", { name: "x" }],
			["POST", { words: [one] }],
		] as const)
			t.match(
				await ask(method, named, body),
				{ http: 404, status: `${code}404`, message: /does not exist$/ },
				method,
			);
		t.match(await ask("GET", `${path}/download/${id}`), {
			status: `${code}404`,
		});
	});

	t.test(`${path}: refused requests`, async (t) => {
		const { ask, make, wordsOf, api } = await startLists(t);
		const words = entriesOf(path, 2);
		const bad: [body: unknown, status: string, message: RegExp][] = [
			[{ words }, "200001", /^lang_type is required$/],
			[{ lang_type: "en" }, "200001", /^words is required$/],
			[{ lang_type: "xx", words }, "200008", /^lang_type must be one of/],
			[{ lang_type: 5, words }, "200002", /^lang_type must be/],
			[{ lang_type: "en", words, name: 5 }, "200002", /^name must be/],
			[{ lang_type: "en", words: "word" }, `${code}400`, /got a string$/],
			[{ lang_type: "en", words: { 0: "a" } }, `${code}400`, /got an object$/],
			[
				{ lang_type: "en", words: ["a", 5] },
				`${code}400`,
				/^words must be a list of strings, got a number as item 2$/,
			],
			[{ lang_type: "en", words: [null] }, `${code}400`, /got null as item 1$/],
			[{ lang_type: "en", words: [["a"]] }, `${code}400`, /a list as item 1$/],
			[{ lang_type: "en", words, id: "a.b" }, `${code}400`, /^id must be/],
			[{ lang_type: "en", words, id: "" }, `${code}400`, /^id must be/],
			[{ lang_type: "en", words, id: "日本" }, `${code}400`, /^id must be/],
			[
				{ lang_type: "en", words, id: "a".repeat(151) },
				`${code}400`,
				/^id must be 1 to 150 letters/,
			],
			[{ lang_type: "en", words, id: 7 }, "200002", /^id must be/],
			[
				{ lang_type: "en", words, auto_extraction: "yes" },
				"200002",
				/^auto_extraction must be true or false/,
			],
			[
				{ lang_type: "en", words, auto_extraction: true },
				"200002",
				/^auto_extraction is for hotword databases of Chinese/,
			],
			["", "200003", /JSON/],
			["[1", "200003", /JSON/],
			["[]", "200003", /^body must be a JSON object$/],
			["\xff", "200003", /JSON/],
			[
				`{"lang_type":"en","words":${nested(99)}}`,
				`${code}400`,
				/got a list as item 1$/,
			],
			[
				`{"lang_type":"en","words":[],"name":${nested(99)}}`,
				"200002",
				/^name must be/,
			],
			[
				`{"lang_type":"en","words":[],"unknown":${nested(100)}}`,
				"200003",
				/^body is nested deeper than 100 levels$/,
			],
			[
				`{"lang_type":"en","words":[${"[],".repeat(100_000)}""]}`,
				"200003",
				/^body has more than 100000 lists and objects in it$/,
			],
			[
				`{${names(1001)}}`,
				"200003",
				/^body has an object of more than 1000 names$/,
			],
			[
				`{"lang_type":"en","words":[${'"",'.repeat(1_000_000)}""]}`,
				"200003",
				/^body has a list of more than 1000000 items$/,
			],
		];
		for (const [body, status, message] of bad)
			t.match(await ask("POST", path, body), { status, message });
		t.match((await ask("GET", path)).data, { used: 0 });

		const long = "a".repeat(150);
		t.equal(await make(path, words, { id: long }), long);
		t.match(await ask("POST", path, { lang_type: "en", words, id: long }), {
			http: 409,
			status: `${code}409`,
			message: /exists already$/,
		});
		for (const id of ["a.b", "a".repeat(151), "%00", "a%2Fb"])
			for (const [method, where] of [
				["GET", `${path}/${id}`],
				["GET", `${path}/download/${id}`],
				["DELETE", `${path}/${id}`],
			] as const)
				t.match(
					await ask(method, where),
					{ http: 400, status: `${code}400` },
					`${method} ${where.slice(0, 60)}`,
				);
		const special = await ask("POST", path, {
			lang_type: "en",
			words,
			id: "all",
		});
		if (code === "210") t.match(special, { status: "000000" });
		else
			t.match(special, {
				status: `${code}400`,
				message: /^id must not be "all"/,
			});
		t.equal(await make(path, words, { id: "constructor" }), "constructor");
		t.same(await wordsOf(path, "constructor"), words);
		t.match(await ask("GET", `${path}/toString`), { status: `${code}404` });

		t.match(await api.ask(path), { http: 401, status: "110001" });
		t.match(
			await api.ask(path, {
				headers: { Authorization: `Bearer ${api.token}` },
			}),
			{ http: 403, status: "110003" },
			"the scope asr is not enough",
		);
	});

	t.test(
		`${path}: no more than 20000 entries, counted after filtering`,
		async (t) => {
			const { ask, make, wordsOf } = await startLists(t);
			const full = entriesOf(path, 20_000);
			const [over = ""] = entriesOf(path, 20_001).slice(-1);
			const id = await make(path, [...full, ...full.slice(0, 50), ""]);
			t.equal((await wordsOf(path, id)).length, 20_000);
			const tooMany = {
				http: 400,
				status: `${code}400`,
				message: /holds at most 20000 entries, this would make 20001$/,
			};
			t.match(await ask("POST", `${path}/${id}`, { words: [over] }), tooMany);
			t.match(
				await ask("PUT", `${path}/${id}`, { words: [...full, over] }),
				tooMany,
			);
			t.match(
				await ask("POST", path, { lang_type: "en", words: [...full, over] }),
				tooMany,
			);
			t.match(
				await ask("POST", path, {
					lang_type: "en",
					words: entriesOf(path, 110_000),
				}),
				{
					...tooMany,
					message: /20000 entries, this would make more than 100000$/,
				},
			);
			t.match(await ask("POST", `${path}/${id}`, { words: full.slice(7, 9) }), {
				message: "success; 2 of 2 entries dropped: 2 duplicate",
				data: 20_000,
			});
			t.same(await wordsOf(path, id), full);
			t.match(await ask("DELETE", `${path}/${id}`, { words: full.slice(1) }), {
				data: 1,
			});
		},
	);
}

t.test("a Japanese database keeps its three columns", async (t) => {
	const { ask, api, token } = await startLists(t);
	const made = await ask("POST", "/v1/hotwords", {
		lang_type: "ja-JP",
		words: [
			"鈴木 , すずき , 人名",
			"鈴木",
			"佐藤,さとう,魚",
			"田中,ﾀﾅｶ,人名",
			"鈴木,すずき,人名",
			"",
		],
	});
	t.equal(
		made.message,
		"success; 5 of 6 entries dropped: 1 with too few columns, 1 with an unknown category, 1 with a pronunciation that is not kana, 1 duplicate, 1 empty",
	);
	const { id } = made.data as { id: string };
	const text = await fetch(`${api.url}/v1/hotwords/download/${id}`, {
		headers: { Authorization: `Bearer ${token}` },
	});
	t.equal(
		await text.text(),
		"writing,pronunciation,category\n鈴木,すずき,人名\n",
	);
});

t.test("lists in pages, newest first, by name and language", async (t) => {
	const { ask, make } = await startLists(t);
	const path = "/v1/hotwords";
	const ids: string[] = [];
	for (let index = 0; index < 25; index++)
		ids.unshift(
			await make(path, ["w"], {
				id: `id-${index}`,
				name: index % 2 ? `Odd ${index}` : `even ${index}`,
				lang_type: index < 5 ? "ja-en" : "en",
			}),
		);
	const page = async (query: string) => {
		const { data } = await ask("GET", `${path}?${query}`);
		const { amount, used, list } = data as {
			amount: number;
			used: number;
			list: { id: string }[];
		};
		return { amount, used, ids: list.map((it) => it.id) };
	};
	t.same(await page(""), { amount: 25, used: 25, ids: ids.slice(0, 10) });
	t.same((await page("page_index=3")).ids, ids.slice(20));
	t.same((await page("page_index=4")).ids, [], "past the end");
	t.same((await page("page_size=100")).ids, ids);
	t.same((await page("page_size=1&page_index=25")).ids, ["id-0"]);
	t.equal((await page("name=odd")).amount, 12, "a part, in any case");
	t.same(await page("name=id-1"), { amount: 1, used: 25, ids: ["id-1"] });
	t.equal((await page("name=id-")).amount, 0, "ids only whole");
	t.equal((await page("lang_type=ja-JP-en-US&name=Odd")).amount, 2);
	t.equal((await page("name=")).amount, 25);
	for (const [query, status] of [
		["page_size=0", "200002"],
		["page_size=101", "200002"],
		["page_size=ten", "200002"],
		["page_index=0", "200002"],
		["page_index=1.5", "200002"],
		["lang_type=xx", "200008"],
	])
		t.match(await ask("GET", `${path}?${query}`), { http: 400, status });
});

t.test("concurrent changes lose nothing", async (t) => {
	const { ask, make, wordsOf } = await startLists(t);
	const id = await make("/v1/hotwords", ["first"]);
	const named = `/v1/hotwords/${id}`;
	await Promise.all([
		...Array.from({ length: 40 }, (_, it) =>
			ask("POST", named, { words: [`a${it}`, `b${it}`] }),
		),
		ask("DELETE", named, { words: ["first"] }),
		ask("PUT", named, { name: "renamed" }),
	]);
	const words = await wordsOf("/v1/hotwords", id);
	t.equal(words.length, 80);
	t.equal(new Set(words).size, 80);
	const taken = await Promise.all(
		Array.from({ length: 10 }, () =>
			ask("POST", "/v1/hotwords", { lang_type: "en", words: [], id: "same" }),
		),
	);
	t.equal(taken.filter((it) => it.status === "000000").length, 1);
	t.equal(taken.filter((it) => it.status === "210409").length, 9);
});

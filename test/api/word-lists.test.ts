import t from "tap";
import { entriesOf, kinds, startLists } from "./word-lists.js";

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
				id,
				amount: 3,
				dropped: [
					{ reason: "duplicate", count: 2, entries: [` ${one}`, one] },
					{ reason: "empty", count: 1, entries: [" "] },
				],
			},
		});
		t.match(await ask("PUT", shown, { name: "First" }), {
			message: "success",
			data: { id, amount: 3, dropped: [] },
		});
		t.match(await ask("PUT", `${named}?show_dropped=7`, { name: "First" }), {
			http: 400,
			status: "200002",
			message: /show_dropped/,
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
		const mark = "\ufeff"; // of an empty file that an editor on Windows saved
		t.match(await ask("DELETE", named, mark), { http: 400, status: "200003" });
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

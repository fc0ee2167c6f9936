/** Requests for word lists that are refused, and lists that would hold too much. */
import t from "tap";
import { entriesOf, kinds, startLists } from "./word-lists.js";

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const names = (count: number) =>
	Array.from({ length: count }, (_, it) => `"n${it}":1`).join();

for (const { path, code } of kinds) {
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

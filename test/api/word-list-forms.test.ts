import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import t from "tap";
import { KeywordExtractor } from "../../runtime/word-lists/keyword-extractor.js";
import { eventually } from "../fixtures/eventually.js";
import { longestTurnMs } from "../store/loop-turns.js";
import { startLists } from "./word-lists.js";

const path = "/v1/hotwords";

function form(fields: Record<string, string | readonly string[] | Blob>) {
	const data = new FormData();
	for (const [name, value] of Object.entries(fields))
		if (value instanceof Blob) data.append(name, value, "words.txt");
		else for (const text of [value].flat()) data.append(name, text);
	return data;
}

const file = (text: string) => new Blob([text], { type: "text/plain" });

t.test("a list from a text file", async (t) => {
	const { ask, wordsOf, api, token } = await startLists(t);
	const made = await ask(
		"POST",
		path,
		form({
			name: "東京",
			lang_type: "ja",
			id: "from-file",
			file: file(
				"\ufeff鈴木,すずき,人名\r\n\r\n佐藤,さとう,人名\n鈴木,すずき,人名\n",
			),
		}),
	);
	t.match(made, {
		data: { id: "from-file" },
		message: "success; 2 of 4 entries dropped: 1 empty, 1 duplicate",
	});
	t.match((await ask("GET", `${path}/from-file`)).data, {
		name: "東京",
		lang_type: "ja-JP",
		words: ["鈴木,すずき,人名", "佐藤,さとう,人名"],
	});
	t.match(
		await ask(
			"POST",
			`${path}/from-file`,
			form({ file: file("田中,たなか,人名"), words: '["林,はやし,姓"]' }),
		),
		{ message: "success", data: 4 },
	);
	const download = async () => {
		const response = await fetch(`${api.url}${path}/download/from-file`, {
			headers: { Authorization: `Bearer ${token}` },
		});
		return response.text();
	};
	const text = await download();
	const words = await wordsOf(path, "from-file");
	t.match(
		await ask("PUT", `${path}/from-file`, form({ file: file(text) })),
		{ message: "success" },
		"what was downloaded is taken as it is, without its header",
	);
	t.same(await wordsOf(path, "from-file"), words);
	t.equal(await download(), text);
	t.match(
		await ask("PUT", `${path}/from-file`, form({ file: file("") })),
		{ message: "success" },
		"an empty file is an empty list",
	);
	t.same(await wordsOf(path, "from-file"), []);
	t.match(await ask("PUT", `${path}/from-file`, form({ name: "new" })), {
		message: "success",
	});
});

t.test("fields that were left empty change nothing", async (t) => {
	const { ask, api, token, wordsOf, make } = await startLists(t);
	const id = await make(path, ["one", "two"]);
	// as browsers send a file field in which no file was chosen
	const untouched = [
		'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\nnew',
		'--b\r\nContent-Disposition: form-data; name="file"; filename=""',
		"Content-Type: application/octet-stream\r\n\r\n",
		"--b--\r\n",
	].join("\r\n");
	const send = (method: string, to: string) =>
		api.ask(to, {
			method,
			body: untouched,
			headers: {
				Authorization: `Bearer ${token}`,
				"Content-Type": "multipart/form-data; boundary=b",
			},
		});
	t.match(await send("PUT", `${path}/${id}`), { status: "000000" });
	t.match((await ask("GET", `${path}/${id}`)).data, {
		name: "new",
		words: ["one", "two"],
	});
	const toForm = form({ name: "newer", words: "" });
	t.match(await ask("PUT", `${path}/${id}`, toForm), { status: "000000" });
	t.same(await wordsOf(path, id), ["one", "two"]);
	for (const fields of [{ words: "" }, { file: "" }])
		t.match(await ask("PUT", `${path}/${id}`, form(fields)), {
			status: "200001",
		});
	t.match(await ask("POST", path, form({ lang_type: "en", words: "" })), {
		status: "200001",
		message: "words is required",
	});
});

t.test("fields in place of a file", async (t) => {
	const { ask, wordsOf } = await startLists(t);
	const many = Array.from({ length: 900 }, (_, it) => `w${it}`);
	const cases: [words: string | string[], expected: string[]][] = [
		["one\ntwo", ["one", "two"]],
		['["one","two, three"]', ["one"]],
		["[one] two\nthree", ["[one] two", "three"]],
		[
			["one", "two"],
			["one", "two"],
		],
		[many, many],
	];
	for (const [words, expected] of cases) {
		const { data } = await ask("POST", path, form({ lang_type: "en", words }));
		t.same(await wordsOf(path, (data as { id: string }).id), expected);
	}
	for (const words of ['["one",\n"two",\n]', '[\n\t"one"\n"two"\n]', '["one"'])
		t.match(await ask("POST", path, form({ lang_type: "en", words })), {
			status: "200003",
			message: "the text of words is a broken JSON array",
		});
});

t.test("invalid forms", async (t) => {
	const { api, token, ask } = await startLists(t);
	const send = (body: string, type: string, to = path) =>
		api.ask(to, {
			method: "POST",
			body,
			headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
		});
	const multipart = "multipart/form-data";
	const part = '--b\r\nContent-Disposition: form-data; name="words"\r\n\r\nx';
	for (const [body, type, message] of [
		["", multipart, /has no boundary/],
		["", `${multipart}; boundary=b`, /is truncated/],
		["nothing", `${multipart}; boundary=b`, /is truncated/],
		[part, `${multipart}; boundary=b`, /is truncated/],
		[`${part}\r\n--b--\r\n`, `${multipart}; boundary=c`, /is truncated/],
	] as const)
		t.match(await send(body, type), { status: "200003", message });
	t.match(await send(`${part}\r\n--b--\r\n`, `${multipart}; boundary=b`), {
		status: "200001",
		message: "lang_type is required",
	});
	t.match(await ask("POST", path, form({ lang_type: "en" })), {
		status: "200001",
		message: "words is required",
	});
	t.match(
		await ask(
			"POST",
			path,
			form({ lang_type: "en", file: new Blob([new Uint8Array([0x82, 0xa0])]) }),
		),
		{ status: "200003", message: /file must be text in UTF-8$/ },
	);
	t.match(
		await ask(
			"POST",
			path,
			form({ lang_type: "en", words: "x", auto_extraction: "maybe" }),
		),
		{ status: "200002", message: /^auto_extraction must be true or false/ },
	);
	t.match(await ask("POST", path, form({ lang_type: "en", words: "[1]" })), {
		status: "210400",
		message: /a number as item 1$/,
	});
	const words = Array.from({ length: 1001 }, (_, it) => `w${it}`);
	t.match(await ask("POST", path, form({ lang_type: "en", words })), {
		status: "200003",
		message: /more than 1000 fields$/,
	});
	const huge = file("x".repeat(9_000_000));
	t.match(await ask("POST", path, form({ lang_type: "en", file: huge })), {
		http: 413,
		status: "200004",
	});
	t.match((await ask("GET", path)).data, { used: 0 });
});

t.test("concurrent bodies share a bounded memory", async (t) => {
	const { ask, api, token, wordsOf, make } = await startLists(t, {
		limits: { json_body_bytes_max: 65_536 },
		auth: { rate_per_second: 0 },
	});
	const id = await make(path, []);
	const words = JSON.stringify({ words: ["x".repeat(60_000)] });
	const request = `POST ${path}/${id} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer ${token}\r\nContent-Length: ${words.length}\r\n\r\n`;
	// all but the last byte
	const sockets = Array.from({ length: 8 }, () => {
		const socket = connect(api.port, "127.0.0.1");
		socket.write(request + words.slice(0, -1));
		return socket;
	});
	t.teardown(() => {
		for (const socket of sockets) socket.destroy();
	});
	const body = { words: ["a".repeat(50_000)] };
	const refused = await eventually("a refusal", async () => {
		const answer = await ask("POST", `${path}/${id}`, body);
		return answer.status === "100004" && answer;
	});
	t.match(refused, { http: 503 });
	t.ok(refused.headers.get("retry-after"));
	t.match(await ask("POST", `${path}/${id}`, { words: ["small"] }), {
		data: 1,
	});
	for (const socket of sockets) socket.destroy();
	await eventually("the others to be gone", async () => {
		const { status } = await ask("POST", `${path}/${id}`, body);
		return status === "000000";
	});
	t.same(
		await wordsOf(path, id),
		["small"],
		"what was cut off changed nothing",
	);
});

const article =
	"去年底，北京大学的研究人员在《自然》杂志上发表了关于量子计算的论文，提出了一种新的纠错算法。OpenAI的大模型在语音识别任务上取得了进展，冬奥会期间的同声传译系统使用了Whisper模型。";

t.test("keywords of a Chinese text", async (t) => {
	const { ask, wordsOf, make } = await startLists(t);
	const id = await make(path, [article], {
		lang_type: "zh-en",
		auto_extraction: true,
	});
	const words = await wordsOf(path, id);
	for (const word of ["量子", "北京大学", "冬奥会", "OpenAI", "Whisper"])
		t.ok(words.includes(word), `${word} in ${words.join(" ")}`);
	for (const word of ["的", "了", "，", "在"]) t.notOk(words.includes(word));
	const added = await ask("POST", `${path}/${id}`, {
		words: ["深圳市的腾讯公司发布了新的游戏引擎。", article],
		auto_extraction: true,
	});
	t.match(
		added.message,
		/^success; \d+ of \d+ entries dropped: \d+ duplicate$/,
	);
	const more = await wordsOf(path, id);
	t.same(more.slice(0, words.length), words);
	t.ok(more.includes("深圳市") || more.includes("腾讯"), more.join(" "));
	t.match(
		await ask("POST", path, {
			lang_type: "zh",
			words: [" \n", ""],
			auto_extraction: true,
		}),
		{ message: "success" },
	);
});

t.test(
	"a text of a million characters is accepted, one more is not",
	async (t) => {
		const { ask } = await startLists(t);
		const text = article.repeat(Math.ceil(1e6 / article.length)).slice(0, 1e6);
		const list = { lang_type: "zh", auto_extraction: true };
		const longestMs = await longestTurnMs(async () => {
			const made = await ask("POST", path, { ...list, words: [text] });
			t.match(made, { status: "000000" });
		});
		t.ok(longestMs < 500, `${longestMs} ms in one turn of this loop`);
		for (const words of [[`${text}字`], [text, ""], ["𠮷".repeat(1_000_001)]])
			t.match(await ask("POST", path, { ...list, words }), {
				status: "200002",
				message: /at most 1000000 characters/,
			});
		t.match(await ask("POST", path, { ...list, words: ["𠮷".repeat(1e6)] }), {
			status: "000000",
		});
	},
);

t.test("no more texts are queued than there is room for", async (t) => {
	const extractor = new KeywordExtractor();
	t.teardown(() => extractor.close());
	const all = await Promise.allSettled(
		Array.from({ length: 12 }, () => extractor.keywords(article)),
	);
	const found = all.filter((it) => it.status === "fulfilled");
	t.equal(found.length, 8);
	t.ok(found.every((it) => it.value.includes("量子")));
	t.match(
		all.filter((it) => it.status === "rejected").map((it) => it.reason),
		Array(4).fill({ status: "100004", retryAfterSeconds: Number }),
	);
	const mine = extractor.keywords(article.repeat(10_000));
	await nextTurn();
	await extractor.close();
	const error = await mine.catch((error: unknown) => error);
	t.match(error, { status: "100003" }, "who waits for a process that ends");
	t.ok((await extractor.keywords(article)).length > 3, "and there is another");
});

t.test("extraction is for Chinese hotwords", async (t) => {
	const { ask, make } = await startLists(t);
	const refused = { status: "200002", message: /^auto_extraction is for/ };
	for (const lang_type of ["en", "ja", "ja-en"])
		t.match(
			await ask("POST", path, {
				lang_type,
				words: [article],
				auto_extraction: true,
			}),
			refused,
		);
	const id = await make(path, ["w"]);
	const body = { words: [article], auto_extraction: true };
	t.match(await ask("POST", `${path}/${id}`, body), refused);
	t.match(await ask("PUT", `${path}/${id}`, body), refused);
	t.match(
		await ask("POST", "/v1/forbidden-words", { lang_type: "zh", ...body }),
		refused,
	);
});

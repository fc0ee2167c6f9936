import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import type { ResultSegment } from "../../runtime/tasks/result/result.js";
import { day, march } from "../clock/fake-machine.js";
import { runningClock } from "../clock/running-clock.js";
import { startFiles } from "./running-files.js";
import { savedNames } from "./saved-names.js";

const ids = {
	queued: "0".repeat(32),
	running: "1".repeat(32),
	done: "2".repeat(32),
	failed: "3".repeat(32),
	others: "4".repeat(32),
};

const segment = (number: number): ResultSegment => ({
	begin: "00:00:00,000",
	end: "00:00:01,500",
	seg_num: number,
	transcript: `sentence ${number} 文字 "quoted"`,
	confidence: 0.9,
	paragraph: 1,
});

async function startTasks(t: Parameters<typeof startFiles>[0], options = {}) {
	const files = await startFiles(t, options);
	const { taskService } = files;
	const nowSeconds = Math.floor(Date.now() / 1000);
	taskService.put(ids.others, { owner: "token:someone else" });
	taskService.put(ids.failed, {
		state: "failed",
		insertSeconds: nowSeconds - 7200,
		processSeconds: nowSeconds - 7100,
		finishSeconds: nowSeconds - 7000,
		failure: { status: "200006", message: "audio can't be decoded: why" },
	});
	taskService.put(ids.done, { insertSeconds: nowSeconds - 3000 });
	taskService.complete(ids.done, [segment(1), segment(2)]);
	taskService.put(ids.running, {
		state: "processing",
		progress: 42,
		processSeconds: nowSeconds,
	});
	taskService.put(ids.queued, { fileName: "会議 1.mp3" });
	return files;
}

const result = (id: string, more = "") =>
	`/v1/asrfile/result?task_id=${id}${more}`;

t.test("a result is polled by its id alone", async (t) => {
	const files = await startTasks(t);
	const poll = (id: string) => files.ask(result(id));
	t.match(await poll(ids.queued), {
		http: 200,
		status: "000000",
		data: {
			task_id: ids.queued,
			desc: "Queued",
			file_name: "会議 1.mp3",
			insert_time: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
			process_time: "",
			finish_time: "",
			progress: 0,
		},
	});
	t.match(await poll(ids.running), {
		data: { desc: "Transcribing", progress: 42, process_time: /^\d{4}/ },
	});
	t.same((await poll(ids.done)).data, {
		result: [segment(1), segment(2)],
		statistics: {
			speed: 120,
			word_count: 2,
			insert_time: "2026-01-01 00:00:00",
			process_time: "2026-01-01 00:00:01",
			finish_time: "2026-01-01 00:00:02",
		},
	});
	t.match(await poll(ids.failed), {
		http: 200,
		status: "220500",
		message: "audio can't be decoded: why",
		data: { desc: "Failed", finish_time: /^\d{4}/ },
	});
	t.match(await poll(ids.others), { status: "000000" }, "the id permits");
});

t.test("a missing task is reported in the interface's words", async (t) => {
	const files = await startTasks(t);
	for (const id of ["f".repeat(32), "..", "%00", "a".repeat(3000)])
		t.match(
			await files.ask(result(id)),
			{
				http: 404,
				status: "220404",
				message: "task_id does not exist",
				data: null,
			},
			id.slice(0, 20),
		);
	t.match(await files.ask(result("%E0%A4")), {
		http: 400,
		status: "200003",
		message: /task_id must be text in UTF-8/,
		data: null,
	});
	t.match(await files.ask("/v1/asrfile/result"), {
		http: 400,
		status: "200001",
		message: /task_id is required/,
	});
	t.match(await files.ask(result(ids.done, "&format=docx")), {
		status: "200002",
		message: /format must be one of json, srt, vtt, txt/,
	});
});

t.test("our own errors let a client continue polling", async (t) => {
	const files = await startTasks(t);
	files.taskService.find = () => {
		throw new CodedError("100003");
	};
	t.match(await files.ask(result(ids.done)), { http: 500, data: {} });
	t.not((await files.ask(result(ids.done))).data, null);
});

t.test("notes on a result are part of its message", async (t) => {
	const files = await startTasks(t);
	files.taskService.put(ids.done, { notes: ["0:01 to 0:02 was not heard"] });
	t.match(await files.ask(result(ids.done)), {
		status: "000000",
		message: "success; 0:01 to 0:02 was not heard",
	});
});

t.test("a result is available as a file, too", async (t) => {
	const files = await startTasks(t);
	files.taskService.put(ids.done, { fileName: "会議 (1.2).mp3" });
	for (const [format, type, begins] of [
		["srt", /^application\/x-subrip/, /^1\r?\n00:00:00,000 --> 00:00:01,500/],
		["vtt", /^text\/vtt/, /^WEBVTT/],
		["txt", /^text\/plain/, /sentence 1/],
	] as const) {
		const response = await fetch(
			files.url + result(ids.done, `&format=${format}`),
		);
		t.match(response.headers.get("content-type"), type);
		t.match(
			response.headers.get("content-disposition"),
			`filename="${ids.done}.${format}"; filename*=UTF-8''%E4%BC%9A%E8%AD%B0%20%281.2%29.${format}`,
		);
		t.match(await response.text(), begins);
	}
});

t.test("only the ending of audio is left out of its name", async (t) => {
	const files = await startTasks(t);
	const savedAs = async (fileName: string, call?: string) => {
		files.taskService.put(ids.done, { fileName, ...(call && { call }) });
		const response = await fetch(files.url + result(ids.done, "&format=srt"));
		const disposition = response.headers.get("content-disposition") ?? "";
		return decodeURIComponent(disposition.split("UTF-8''")[1] ?? "");
	};
	for (const [fileName, name] of savedNames)
		t.equal(await savedAs(fileName), `${name}.srt`);
	const call = "a84b4c76e66710@pc33.example.com";
	t.equal(await savedAs(call, call), `${call}.srt`, "a call has none");
});

t.test(
	"hours of transcript are complete, and do not block others",
	async (t) => {
		const files = await startTasks(t);
		const count = 60_000;
		files.taskService.complete(ids.done, {
			*[Symbol.iterator]() {
				for (let i = 1; i <= count; i++) yield segment(i);
			},
		});
		let longestMs = 0;
		let lastMs = performance.now();
		const timer = setInterval(() => {
			longestMs = Math.max(longestMs, performance.now() - lastMs);
			lastMs = performance.now();
		}, 1);
		const answer = await fetch(files.url + result(ids.done));
		let bytes = 0;
		for await (const chunk of answer.body ?? []) bytes += chunk.byteLength;
		clearInterval(timer);
		t.ok(bytes > count * 100);
		t.comment(`the longest turn took ${longestMs.toFixed(1)} ms`);
		const { data } = await files.ask(result(ids.done));
		t.equal((data as { result: unknown[] }).result.length, count);
	},
);

t.test("with result_needs_token the id alone is not enough", async (t) => {
	const files = await startTasks(t, {
		overrides: { auth: { result_needs_token: true } },
	});
	t.match(await files.ask(result(ids.done)), { http: 401, status: "110001" });
	t.match(await files.get(result(ids.done)), { status: "000000" });
	t.match(await files.get(result(ids.others)), { status: "220404" });
	const admin = await files.makeToken(["admin"]);
	t.match(await files.get(result(ids.others), admin), { status: "000000" });
});

t.test("tasks are listed newest first, by filters that add up", async (t) => {
	const files = await startTasks(t);
	const list = async (query = "", token?: string) => {
		const path = `/v1/asrfile/tasks${query}`;
		const headers = { Authorization: `Bearer ${token ?? files.token}` };
		const response = await fetch(files.url + path, { headers });
		return (await response.json()) as {
			status: string;
			data: { task_id: string; desc: string }[];
			statistics: { count: number; types: { count: number }[] };
		};
	};
	const idsOf = async (query: string, token?: string) =>
		(await list(query, token)).data.map((it) => it.task_id);
	const { queued, running, done, failed, others } = ids;
	t.same(await list(), {
		status: "000000",
		message: "success",
		data: (await list()).data,
		statistics: {
			count: 4,
			types: [
				{ type: 0, desc: "Failed", count: 1 },
				{ type: 1, desc: "Completed", count: 1 },
				{ type: 2, desc: "Transcribing", count: 1 },
				{ type: 3, desc: "Queued", count: 1 },
			],
		},
	});
	t.same(await idsOf(""), [queued, running, done, failed]);
	for (const [type, id] of [failed, done, running, queued].entries())
		t.same(await idsOf(`?type=${type}`), [id]);
	t.same(await idsOf("?time=1"), [queued, running, done]);
	t.same(await idsOf("?time=0.5"), [queued, running]);
	t.same(await idsOf("?time=0.5000000000000001"), [queued, running]);
	t.same(await idsOf("?time=1&type=1"), [done]);
	t.same(await idsOf("?time=1&type=0"), []);
	t.same(await idsOf("?count=2"), [queued, running]);
	t.same(await idsOf("?count=1&type=0"), [failed]);
	const { statistics } = await list("?count=2");
	t.equal(statistics.count, 2);
	t.same(
		statistics.types.map((it) => it.count),
		[0, 0, 1, 1],
	);
	const admin = await files.makeToken(["admin"]);
	t.same(await idsOf("", admin), [queued, running, done, failed, others]);
	t.same(await idsOf(`?task_id=${done}`), [done]);
	t.equal((await list(`?task_id=${done}`)).statistics.count, 1);
	t.same(await idsOf(`?task_id=${done}&type=0`), []);
	t.same(await idsOf(`?task_id=${others}`), [], "another's");
	t.same(await idsOf(`?task_id=${others}`, admin), [others]);
	t.same(await idsOf(`?task_id=${"f".repeat(32)}`), []);
	for (const query of ["type=4", "type=x", "count=0", "time=-1", "time=soon"])
		t.match(await files.get(`/v1/asrfile/tasks?${query}`), {
			status: "200002",
			message: new RegExp(`^${query.split("=")[0]} must be`),
		});
	t.match(await files.ask("/v1/asrfile/tasks"), { http: 401 });
	const other = await files.makeToken(["asr"]);
	t.match(await files.get("/v1/asrfile/tasks", other), { status: "110003" });
});

t.test("a task can be removed by its owner, and by admin", async (t) => {
	const files = await startTasks(t);
	const remove = (id: string, token = files.token) =>
		files.ask(`/v1/asrfile/tasks/${id}`, {
			method: "DELETE",
			headers: { Authorization: `Bearer ${token}` },
		});
	t.match(await remove(ids.running), { status: "000000", data: null });
	t.match(await remove(ids.running), { http: 404, status: "220404" });
	t.match(await files.ask(result(ids.running)), { status: "220404" });
	t.match(await remove(ids.others), { status: "220404" }, "another's task");
	t.ok(files.taskService.find(ids.others));
	const admin = await files.makeToken(["admin"]);
	t.match(await remove(ids.others, admin), { status: "000000" });
	t.match(await files.ask(`/v1/asrfile/tasks/${ids.done}`), {
		http: 405,
		status: "100002",
	});
});

t.test(
	"the hours since an upload count, whatever the clock said then",
	async (t) => {
		const dir = mkdtempSync(join(tmpdir(), "earshot-clock-"));
		t.teardown(() => rmSync(dir, { recursive: true, force: true }));
		const { machine, clock, run, set } = await runningClock(t, dir);
		const files = await startFiles(t, { overrides: { clock } });
		await set(0); // without a battery, until a time server is reached
		files.taskService.put(ids.queued, {
			insertSeconds: clock.nowSeconds(),
			insertOperatingSeconds: clock.operatingSeconds(),
		});
		await run(1800);
		machine.synchronised = true;
		await set(march + 200 * day);
		const countOf = async (query: string) =>
			((await files.get(`/v1/asrfile/tasks?${query}`)).data as object[]).length;
		t.equal(await countOf("time=1"), 1);
		t.equal(await countOf("time=0.25"), 0);
		await run(3600);
		t.equal(await countOf("time=1"), 0);
	},
);

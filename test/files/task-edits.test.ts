/** Hearing, drawing and correcting what a task was made from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import t, { type Test } from "tap";
import type { ResultSegment } from "../../runtime/tasks/result/result.js";
import { repository } from "../e2e/running-appliance.js";
import { longestTurnMs } from "../store/loop-turns.js";
import { startFiles, wavFields } from "./running-files.js";

const clip = readFileSync(join(repository, "test/clips/en-librivox-0930.wav"));

function segment(
	seg_num: number,
	transcript: string,
	cluster_id: number,
): ResultSegment {
	const begin = `00:00:0${seg_num},000`;
	return {
		begin,
		end: `00:00:0${seg_num},900`,
		seg_num,
		transcript,
		confidence: 0.9,
		paragraph: seg_num,
		cluster_id,
	};
}

/** Twice the promised limit: a single measurement can't be repeated if garbage was collected during it. */
const turnMsMax = 100;

/** As if there were many more. */
function* slowly<T>(items: Iterable<T>): Generator<T> {
	for (const item of items) {
		const untilMs = performance.now() + 0.3;
		while (performance.now() < untilMs);
		yield item;
	}
}

/** A completed task of so many segments, and how to correct it. */
async function transcript(t: Test, count: number) {
	const files = await startFiles(t);
	const id = "a".repeat(32);
	const segments = Array.from({ length: count }, (_, index) =>
		segment(index + 1, "heard", 1 + (index % 2)),
	);
	files.taskService.complete(id, segments);
	const at = `/v1/asrfile/tasks/${id}`;
	const patch = (change: object) =>
		files.ask(at, {
			method: "PATCH",
			headers: { authorization: `Bearer ${files.token}` },
			body: JSON.stringify(change),
		});
	return {
		...files,
		id,
		segments,
		patch,
		edits: () => files.get(`${at}/edits`),
	};
}

t.test("of corrections at the same time none is lost", async (t) => {
	const { patch, edits } = await transcript(t, 2);
	const answers = await Promise.all([
		patch({ speakers: { 1: "Ann" } }),
		patch({ speakers: { 2: "Bob" } }),
		patch({ segments: [{ seg_num: 2, transcript: "one" }] }),
		patch({ segments: [{ seg_num: 2, transcript: "other" }] }),
	]);
	for (const answer of answers) t.match(answer, { http: 200 });
	const { data } = await edits();
	t.match(data, { speakers: { 1: "Ann", 2: "Bob" } });
	const [{ versions }] = (data as { segments: [{ versions: object[] }] })
		.segments;
	t.equal(versions.length, 2);
});

t.test("a speaker that does not exist gets no name", async (t) => {
	const { patch, edits } = await transcript(t, 2);
	t.match(await patch({ speakers: { 1: "Ann", 3: "Eve" } }), {
		status: "200002",
		message: /speakers: this transcript has no cluster_id 3/,
	});
	t.match(await edits(), { data: { speakers: {} } });
	t.match(await patch({ speakers: { 3: "" } }), { http: 200 });
});

t.test(
	"a segment that does not exist is looked for in short turns",
	async (t) => {
		const { id, taskService, patch, segments } = await transcript(t, 1000);
		const one = [{ seg_num: 1, transcript: "x" }];
		t.match(await patch({ segments: one }), { http: 200 });
		taskService.complete(id, { [Symbol.iterator]: () => slowly(segments) });
		const none = [{ seg_num: 99_999_999, transcript: "x" }];
		let answer = {};
		const heldMs = await longestTurnMs(async () => {
			answer = await patch({ segments: none });
		});
		t.match(answer, { status: "200002", message: /no seg_num 99999999/ });
		t.ok(heldMs < turnMsMax, `the loop was held for ${heldMs} ms`);
	},
);

t.test("what was changed is told in short turns", async (t) => {
	const { taskService, edits } = await transcript(t, 1);
	t.match(await edits(), { data: { speakers: {}, segments: [] } });
	const versions = [{ text: "x", atSeconds: 1 }];
	const all = Array.from({ length: 1000 }, (_, index) => index + 1);
	taskService.edits = () => ({
		speakers: { 1: "Ann" },
		*segments() {
			for (const number of slowly(all)) yield { number, versions };
		},
	});
	let answer: { data?: unknown } = {};
	const heldMs = await longestTurnMs(async () => {
		answer = await edits();
	});
	const data = answer.data as { segments: { seg_num: number }[] };
	t.match(data, { speakers: { 1: "Ann" } });
	t.match(data.segments[0], { versions: [{ transcript: "x" }] });
	t.same(
		data.segments.map((it) => it.seg_num),
		all,
	);
	t.ok(heldMs < turnMsMax, `the loop was held for ${heldMs} ms`);
});

t.test("the audio and the transcript of a task", async (t) => {
	const files = await startFiles(t);
	await files.upload({ ...wavFields, file: clip });
	const { id } = files.taskService.last;
	const at = `/v1/asrfile/tasks/${id}`;
	const headers = { authorization: `Bearer ${files.token}` };
	const other = await files.makeToken(["files"], 1000, "somebody else");
	const get = (path: string, more: Record<string, string> = {}) =>
		fetch(files.url + path, { headers: { ...headers, ...more } });
	const patch = (change: unknown, by = files.token) =>
		files.ask(at, {
			method: "PATCH",
			headers: { authorization: `Bearer ${by}` },
			body: typeof change === "string" ? change : JSON.stringify(change),
		});

	t.test("is heard, whole or in part", async (t) => {
		const whole = await get(`${at}/audio`);
		t.equal(whole.status, 200);
		t.match(Object.fromEntries(whole.headers), {
			"content-type": "audio/wav",
			"accept-ranges": "bytes",
			"x-content-type-options": "nosniff",
			"content-security-policy": /^sandbox/,
		});
		t.same(Buffer.from(await whole.arrayBuffer()), clip);
		const part = await get(`${at}/audio`, { range: "bytes=44-143" });
		t.equal(part.status, 206);
		t.same(Buffer.from(await part.arrayBuffer()), clip.subarray(44, 144));
		t.equal(
			(await get(`${at}/audio`, { range: "bytes=99999999-" })).status,
			416,
		);
		t.match(await files.get(`${at}/audio`, other), {
			http: 404,
			status: "220404",
		});
		t.match(await files.ask(`${at}/audio`), { http: 401 });
	});

	t.test("is cut, as a WAV of its own", async (t) => {
		const cut = async (query: string) => {
			const answer = await get(`${at}/audio?${query}`);
			t.match(Object.fromEntries(answer.headers), {
				"content-type": "audio/wav",
				"content-security-policy": /^sandbox/,
			});
			return Buffer.from(await answer.arrayBuffer());
		};
		const middle = await cut("start=0.5&end=1.25");
		t.equal(middle.subarray(0, 4).toString(), "RIFF");
		t.equal(middle.readUInt32LE(40), 0.75 * 32_000);
		t.same(
			middle.subarray(44),
			clip.subarray(44 + 0.5 * 32_000, 44 + 1.25 * 32_000),
			"the same samples: it is 16 kHz already",
		);
		t.same((await cut("end=1")).subarray(44), clip.subarray(44, 44 + 32_000));
		const rest = await cut("start=1");
		t.same(rest.subarray(44), clip.subarray(44 + 32_000), "as far as it goes");
		for (const [query, status] of [
			["start=1&end=1", "200002"],
			["start=0&end=601", "200002"],
			["start=-1", "200002"],
			["start=x", "200002"],
			["start=9000", "200007"],
		])
			t.match(await files.get(`${at}/audio?${query}`), { status });
		t.match(await files.get(`${at}/audio?start=1`, other), {
			http: 404,
			status: "220404",
		});
	});

	t.test("is drawn in peaks", async (t) => {
		const fine = new Uint8Array(await (await get(`${at}/peaks`)).arrayBuffer());
		const seconds = (clip.length - 44) / 32_000;
		t.equal(fine.length, Math.ceil(seconds * 20));
		const samples = new Int16Array(
			clip.buffer.slice(clip.byteOffset + 44, clip.byteOffset + clip.length),
		);
		const loudest = samples.reduce((max, it) => Math.max(max, Math.abs(it)), 0);
		t.ok(Math.abs(Math.max(...fine) - (loudest / 32768) * 255) < 2);
		const coarse = new Uint8Array(
			await (await get(`${at}/peaks?per_second=1`)).arrayBuffer(),
		);
		t.equal(coarse.length, Math.ceil(seconds));
		t.equal(Math.max(...coarse), Math.max(...fine));
		t.match(await files.get(`${at}/peaks?per_second=21`), { status: "200002" });
		t.match(await files.get(`${at}/peaks`, other), {
			http: 404,
			status: "220404",
		});
	});

	t.test("without a transcript there is nothing to correct", async (t) => {
		const change = { segments: [{ seg_num: 1, transcript: "x" }] };
		t.match(await patch(change), { http: 404, status: "220404" });
	});

	t.test("is corrected in every format, and restored", async (t) => {
		files.taskService.complete(id, [
			segment(1, "He said hallo", 1),
			segment(2, "To her", 2),
		]);
		const changed = await patch({
			speakers: { 1: "Lucas <b>", 2: " " },
			segments: [
				{ seg_num: 1, transcript: " He said hello & <i>left</i> --> gone " },
			],
		});
		t.match(changed, { http: 200, data: null });
		const { data } = await files.get(`/v1/asrfile/result?task_id=${id}`);
		const [first, second] = (data as { result: ResultSegment[] }).result;
		t.match(first, {
			transcript: "He said hello & <i>left</i> --> gone",
			original: "He said hallo",
			speaker: "Lucas <b>",
			cluster_id: 1,
		});
		t.notOk(second && ("original" in second || "speaker" in second));
		const text = async (format: string) =>
			(await get(`/v1/asrfile/result?task_id=${id}&format=${format}`)).text();
		t.match(
			await text("txt"),
			"Lucas <b>: He said hello & <i>left</i> --> gone\n",
		);
		t.match(await text("srt"), "Lucas <b>: He said hello & <i>left</i> → gone");
		t.match(
			await text("vtt"),
			"<v Lucas &lt;b&gt;>He said hello &amp; &lt;i&gt;left",
		);
		await patch({ segments: [{ seg_num: 1, transcript: null }] });
		t.match(await text("txt"), "Lucas <b>: He said hallo\n");
		t.match(await files.get(`${at}/edits`), {
			data: {
				speakers: { 1: "Lucas <b>" },
				segments: [
					{
						seg_num: 1,
						versions: [{ transcript: /^He said hello/ }, { transcript: null }],
					},
				],
			},
		});
	});

	t.test("a wrong correction changes nothing", async (t) => {
		const wrong: [unknown, string][] = [
			[{}, "200001"],
			["{", "200003"],
			[{ segments: [{ seg_num: 3, transcript: "x" }] }, "200002"],
			[{ segments: [{ seg_num: 1 }] }, "200002"],
			[{ segments: [{ seg_num: 1, transcript: 5 }] }, "200002"],
			[
				{ segments: [{ seg_num: 1, transcript: "x".repeat(10_001) }] },
				"200002",
			],
			[{ speakers: { one: "x" } }, "200002"],
			[{ speakers: { 1: "line\nbreak" } }, "200002"],
			[{ speakers: { 1: 5 } }, "200002"],
		];
		for (const [change, status] of wrong)
			t.match(
				await patch(change),
				{ status },
				JSON.stringify(change).slice(0, 60),
			);
		t.match(await patch({ speakers: { 1: "x" } }, other), { status: "220404" });
		t.match(await files.get(`${at}/edits`), {
			data: { speakers: { 1: "Lucas <b>" } },
		});
	});
});

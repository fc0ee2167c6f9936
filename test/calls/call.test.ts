/** Legs of a call: who is which speaker, one clock, silence, an engine that dies, a leg that comes again (docs/calls.md). */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { eventually, until } from "../fixtures/eventually.js";
import { final, loud, runningCalls, silence } from "./running-calls.js";

const calls = await runningCalls(t);
const { lane, client, opened, transcript } = calls;
const mulaw = { encoding: "mulaw", lang_type: "en" };

t.beforeEach(() => {
	lane.opened.length = 0;
});

t.test(
	"two connections of one call: speakers in the order of their names, merged by time",
	async (t) => {
		const agent = await client({ query: { ...mulaw, call: "c-1", leg: "2" } });
		agent.audio(loud(4000));
		const second = await opened(1);
		const caller = await client({ query: { ...mulaw, call: "c-1", leg: "1" } });
		caller.audio(loud(8000));
		const first = await opened(2);
		second.emit(final("From the agent.", 100));
		const message = await agent.receive("transcription");
		first.emit(final("From the caller.", 400));
		t.match(await caller.receive("transcription"), {
			channel: 1,
			task_id: message.task_id,
		});
		t.equal(agent.messages.length, 1, "a leg gets its own results");
		const third = await client({ query: { call: "c-1", leg: "3" } });
		third.audio(loud(2), 2);
		t.match(await third.receive("error"), { error: /two others/ });
		agent.hangUp();
		caller.hangUp();
		const segments = await transcript(message.task_id);
		t.match(segments, [
			{ transcript: "From the agent.", cluster_id: 2 },
			{ transcript: "From the caller.", cluster_id: 1 },
		]);
	},
);

t.test(
	"languages that were identified: each message names its own, and the transcript is counted in them",
	async (t) => {
		const query = { encoding: "mulaw", call: "c-auto", interim: "true" };
		const caller = await client({ query });
		caller.audio(loud(8000));
		const first = await opened(1);
		t.match(lane.options, { language: "en-US", languageChoices: Array });
		const japanese = final("今日は良い天気です。", 0);
		first.emit({ ...japanese, is: "partial", language: "ja-JP" });
		first.emit({ ...japanese, language: "ja-JP" });
		const agent = await client({ query });
		agent.audio(loud(8000));
		const second = await opened(2);
		second.emit({ ...final("Yes, it is.", 0), language: "en-US" });
		for (const nth of [1, 2])
			t.match(await caller.receive("transcription", nth), {
				language: "ja-JP",
			});
		const message = await agent.receive("transcription");
		t.match(message, { language: "en-US" });
		agent.hangUp();
		caller.hangUp();
		await transcript(message.task_id);
		const result = calls.stored.tasks.result(String(message.task_id));
		t.equal(result?.statistics.word_count, 9 + 3);
	},
);

t.test("the same name of another owner is another call", async (t) => {
	const other = await calls.makeToken(["asr"], 3600, "other");
	const [mine, theirs] = [
		await client({ query: { ...mulaw, call: "c-2" } }),
		await client({ token: other, query: { ...mulaw, call: "c-2" } }),
	];
	mine.audio(loud(4000));
	(await opened(1)).emit(final("Mine.", 0));
	theirs.audio(loud(4000));
	(await opened(2)).emit(final("Theirs.", 0));
	const [one, two] = [
		await mine.receive("transcription"),
		await theirs.receive("transcription"),
	];
	t.match([one, two], [{ channel: 1 }, { channel: 1 }]);
	t.not(one.task_id, two.task_id);
	mine.hangUp();
	theirs.hangUp();
	t.match(await transcript(one.task_id), [{ transcript: "Mine." }]);
});

t.test(
	"a leg without sound takes no slot, and gives back the one it has",
	async (t) => {
		const soon = await runningCalls(t, { silent_seconds: 2 });
		const muted = await soon.client({ query: mulaw });
		soon.lane.behaviour = { holdResult: true }; // also when two seconds pass before the text is emitted
		muted.audio(silence(16_000));
		muted.audio(loud(1600));
		const recognition = await soon.opened(1);
		t.equal(soon.lane.opened.length, 1);
		t.ok(recognition.bytes < 8000, "of the silence only its end");
		muted.audio(silence(8000));
		await until(() => recognition.finished);
		recognition.release();
		muted.audio(loud(1600));
		const again = await soon.opened(2);
		await until(() => again.bytes >= 1280);
		again.emit(final("Again.", 0));
		t.match(await muted.receive("transcription"), { index: 1 });
		again.release();
		muted.hangUp();
	},
);

t.test(
	"an engine that dies: the next one gets what has no final yet",
	async (t) => {
		const leg = await client({ query: mulaw });
		leg.audio(loud(8000));
		const first = await opened(1);
		first.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await until(() => first.bytes >= 6700);
		first.fail(new CodedError("230004"));
		const second = await opened(2);
		await until(() => second.bytes >= 8000);
		second.emit(final("Whole.", 0));
		t.match(await leg.receive("transcription"), {
			alternatives: [{ transcript: "Whole." }],
		});
		leg.hangUp();
	},
);

t.test("an engine that dies as the call ends", async (t) => {
	const leg = await client();
	lane.behaviour = { holdResult: true };
	leg.send({ type: "start", language: "en", sampleRateHz: 8000 });
	leg.audio(new Uint8Array(16_000).fill(0x40), 320);
	const first = await opened(1);
	first.emit({ is: "speech-begin", index: 1, atMs: 0 });
	await until(() => first.bytes >= 13_400);
	leg.send({ type: "stop" });
	await until(() => first.finished);
	first.fail(new CodedError("230004"));
	const second = await opened(2);
	await until(() => second.finished);
	second.emit(final("Goodbye.", 0));
	second.release();
	t.match(await leg.receive("transcription"), {
		alternatives: [{ transcript: "Goodbye." }],
	});
	t.equal(await leg.closed(), 1000);
});

t.test("the same leg on a second connection takes over", async (t) => {
	const query = { ...mulaw, call: "c-3", leg: "caller" };
	const before = await client({ query });
	before.audio(loud(4000));
	(await opened(1)).emit(final("One.", 0));
	const one = await before.receive("transcription");
	const after = await client({ query });
	after.audio(loud(4000));
	t.match(await before.receive("error"), { error: /came again/ });
	(await opened(2)).emit(final("Two.", 0));
	const two = await after.receive("transcription");
	t.match(two, { index: 2, task_id: one.task_id, channel: 1 });
	after.hangUp();
	t.match(await transcript(one.task_id), [
		{ transcript: "One." },
		{ transcript: "Two." },
	]);
});

t.test(
	"what was said on a connection that another one replaces is not lost",
	async (t) => {
		const query = { ...mulaw, call: "c-6", leg: "caller" };
		const before = await client({ query });
		lane.behaviour = { holdResult: true };
		before.audio(loud(8000));
		const first = await opened(1);
		await until(() => first.bytes >= 6700);
		const after = await client({ query });
		after.audio(loud(8000));
		t.match(await before.receive("error"), { error: /came again/ });
		const second = await opened(2);
		await until(() => first.finished || first.over);
		t.notOk(first.over, "not cancelled");
		second.emit(final("Two.", 0));
		second.emit(final("Three.", 200, 2));
		first.emit(final("One.", 0));
		first.release();
		const two = await after.receive("transcription");
		t.match(two, { index: 2, alternatives: [{ transcript: "Two." }] });
		t.match(await after.receive("transcription", 2), { index: 3 });
		t.same(before.finals, [], "that connection is closed");
		after.hangUp();
		t.match(await transcript(two.task_id), [
			{ transcript: "One." },
			{ transcript: "Two." },
			{ transcript: "Three." },
		]);
	},
);

t.test("a call without a second of audio leaves no task", async (t) => {
	const leg = await client({ query: { ...mulaw, call: "c-4" } });
	leg.audio(loud(4000));
	await opened(1);
	leg.hangUp();
	await until(() => calls.calls?.size === 0);
	t.notOk([...calls.stored.tasks.list()].some((it) => it.call === "c-4"));
});

t.test("no free slot: the leg waits, and says nothing", async (t) => {
	const leg = await client({ query: mulaw });
	const asked = lane.askers.length;
	lane.behaviour = { refuse: new CodedError("100004") };
	leg.audio(loud(8000));
	await until(() => lane.askers.length > asked);
	lane.behaviour = {};
	const recognition = await opened(1);
	// the rest waits for more
	await until(() => recognition.bytes >= 6700);
	t.same(leg.messages, []);
	leg.hangUp();
});

t.test("a call that can't be stored makes room for another", async (t) => {
	const refusing = await runningCalls(t, { return_seconds: 600 });
	refusing.failAdd(new CodedError("100005"));
	const query = { ...mulaw, call: "c-5" };
	const before = await refusing.client({ query });
	before.audio(loud(8000));
	(await refusing.opened(1)).emit(final("Lost.", 0));
	await before.receive("error");
	await before.closed();
	const after = await refusing.client({ query });
	after.audio(loud(8000));
	(await refusing.opened(2)).emit(final("Kept.", 0));
	const { task_id } = await after.receive("transcription");
	after.hangUp();
	t.ok(task_id);
});

t.test(
	"audio of a call that ends by closing its socket is counted",
	async (t) => {
		const metric = async (name: string) => {
			const text = await (await fetch(`${calls.url}/metrics`)).text();
			const line = text
				.split("\n")
				.find((it) => it.startsWith(`${name}{endpoint="calls"`));
			return Number(line?.split(" ").at(-1) ?? 0);
		};
		const before = await metric("earshot_endpoint_audio_seconds_total");
		const leg = await client({ query: mulaw });
		leg.audio(loud(8000));
		const recognition = await opened(1);
		await until(() => recognition.bytes >= 6700);
		leg.hangUp();
		await eventually(
			"the end of every connection",
			async () => (await metric("earshot_endpoint_open")) === 0,
		);
		const counted = await metric("earshot_endpoint_audio_seconds_total");
		t.equal(Math.round(1000 * (counted - before)), 1000);
	},
);

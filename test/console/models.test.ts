/** What the pages keep and send, without a browser. */
import t from "tap";
import { savedNames } from "../files/saved-names.js";
import { FakeDevice, pageCode, replaceGlobal, settled } from "./page-code.js";

interface Box<T> {
	readonly value: T;
}

interface Transcript {
	readonly name: Box<string>;
	readonly segments: Box<readonly { transcript: string; speaker?: string }[]>;
	readonly edits: {
		readonly saving: Box<unknown>;
		setText(segment: number, text: string): void;
		flush(leaving?: boolean): Promise<void>;
	};
	readonly done: Box<readonly unknown[]>;
	load(): Promise<void>;
	refresh(): Promise<void>;
	type(number: number, text: string): void;
	rename(number: number, name: string): void;
}

const events = new EventTarget();
replaceGlobal(t, "addEventListener", events.addEventListener.bind(events));

/** @returns whether the browser asks before the page goes. */
function isAskedFor(): boolean {
	return !events.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

async function transcriptOf(id: string): Promise<Transcript> {
	const { Transcript } = await pageCode<{
		Transcript: new (id: string) => Transcript;
	}>("pages/files/transcript.ts");
	return new Transcript(id);
}

async function answerLoad(device: FakeDevice, from = 0): Promise<void> {
	(await device.request(from)).answer("000000", []);
	const segment = { begin: "00:00:00,000", end: "00:00:01,000", seg_num: 1 };
	const text = { transcript: "hello", paragraph: 1, cluster_id: 1 };
	const result = [{ ...segment, ...text }];
	(await device.request(from + 1)).answer("000000", { result });
}

async function loadedTranscript(
	device: FakeDevice,
	id = "task",
): Promise<Transcript> {
	const transcript = await transcriptOf(id);
	const loaded = transcript.load();
	await answerLoad(device);
	await loaded;
	device.requests.length = 0;
	return transcript;
}

t.test("a file without a name is called by its id", async (t) => {
	const device = new FakeDevice(t);
	const transcript = await transcriptOf("task");
	const loaded = transcript.load();
	const listed = await device.request(0);
	t.equal(listed.path, "/v1/asrfile/tasks?task_id=task", "not all there are");
	listed.answer("000000", [{ task_id: "task", file_name: "" }]);
	(await device.request(1)).answer("000000", { result: [] });
	await loaded;
	t.equal(transcript.name.value, "task");
});

t.test("a name that was not stored is sent again", async (t) => {
	const device = new FakeDevice(t);
	const transcript = await loadedTranscript(device);
	transcript.rename(1, "Lucas");
	(await device.request(0)).fail();
	await settled();
	t.match(transcript.edits.saving.value, { wrong: /No connection/ });
	void transcript.edits.flush();
	t.match((await device.request(1)).json, { speakers: { 1: "Lucas" } });
	device.requests[1]?.answer("000000");
	await settled();
	t.equal(transcript.edits.saving.value, "saved");
	t.equal(transcript.segments.value[0]?.speaker, "Lucas");
});

t.test("an older text that failed does not replace a newer one", async (t) => {
	const device = new FakeDevice(t);
	const transcript = await loadedTranscript(device);
	transcript.type(1, "older");
	void transcript.edits.flush();
	await device.request(0);
	transcript.type(1, "newer");
	void transcript.edits.flush();
	device.requests[0]?.fail();
	(await device.request(1)).answer("000000");
	await settled();
	t.match(device.requests[1]?.json, { segments: [{ transcript: "newer" }] });
	t.equal(transcript.edits.saving.value, "saved");
});

t.test(
	"what others corrected does not replace what is on its way",
	async (t) => {
		const device = new FakeDevice(t);
		const transcript = await loadedTranscript(device);
		const stored = (transcript: string) => ({
			result: [{ seg_num: 1, transcript }],
		});
		transcript.type(1, "mine");
		void transcript.edits.flush();
		const refreshed = transcript.refresh();
		(await device.request(0)).answer("000000");
		const read = await device.request(1);
		t.match(read.method, "GET", "asked for once all is stored");
		read.answer("000000", stored("mine"));
		await refreshed;
		t.equal(transcript.segments.value[0]?.transcript, "mine");
		t.equal(transcript.done.value.length, 1);
		const again = transcript.refresh();
		(await device.request(2)).answer("000000", stored("theirs"));
		await again;
		t.equal(transcript.segments.value[0]?.transcript, "theirs");
		t.equal(transcript.done.value.length, 0, "to undo would take theirs along");
	},
);

t.test("what was typed last is sent when the page is left", async (t) => {
	const device = new FakeDevice(t);
	const transcript = await loadedTranscript(device);
	transcript.type(1, "older");
	void transcript.edits.flush();
	await device.request(0);
	transcript.type(1, "newer");
	void transcript.edits.flush(true);
	await settled();
	t.match(device.requests[1], {
		method: "PATCH",
		keepalive: true,
		json: { segments: [{ seg_num: 1, transcript: "newer" }] },
	});
});

t.test("what could not be sent is there again, and is asked for", async (t) => {
	const device = new FakeDevice(t);
	const left = await loadedTranscript(device, "left");
	left.type(1, "corrected");
	void left.edits.flush();
	t.notOk(isAskedFor(), "it is sent as the page goes");
	(await device.request(0)).fail();
	left.rename(1, "Lucas");
	(await device.request(1)).fail();
	(await device.request(2)).fail();
	await settled();
	t.ok(isAskedFor());
	const opened = await transcriptOf("left");
	const loaded = opened.load();
	t.match((await device.request(3)).json, {
		segments: [{ seg_num: 1, transcript: "corrected" }],
	});
	device.requests[3]?.fail();
	(await device.request(4)).answer("000000");
	await answerLoad(device, 5);
	await loaded;
	t.match(opened.segments.value, [{ transcript: "corrected" }]);
	t.ok(isAskedFor());
	void opened.edits.flush();
	(await device.request(7)).answer("000000");
	await settled();
	t.notOk(isAskedFor());
	const third = await transcriptOf("left");
	void third.load();
	t.equal((await device.request(8)).method, "GET", "nothing is left to send");
});

t.test("of a deleted transcript nothing is left to send", async (t) => {
	const device = new FakeDevice(t);
	const { editsOf, forgetEdits } = await pageCode<{
		editsOf: (task: string) => Transcript["edits"];
		forgetEdits: (task: string) => void;
	}>("pages/files/unsaved-edits.ts");
	const edits = editsOf("deleted");
	edits.setText(1, "corrected");
	void edits.flush();
	(await device.request(0)).fail();
	await settled();
	t.ok(isAskedFor());
	forgetEdits("deleted");
	t.notOk(isAskedFor());
	t.not(editsOf("deleted"), edits);
});

interface Tasks {
	readonly tasks: Box<readonly unknown[]>;
	readonly reasons: Box<Readonly<Record<string, string>>>;
	readonly hasMore: Box<boolean>;
	loadTasks(): Promise<void>;
	loadMore(): Promise<void>;
}

const failed = (count: number) =>
	Array.from({ length: count }, (_, i) => ({
		task_id: `task${i}`,
		desc: "Failed",
		file_name: `${i}.wav`,
		insert_time: "2026-11-25 03:34:14",
		progress: 0,
	}));

t.test("why files failed is asked one after the other", async (t) => {
	const device = new FakeDevice(t);
	const model = await pageCode<Tasks>("pages/files/tasks.ts");
	void model.loadTasks();
	(await device.request(0)).answer("000000", failed(300));
	await device.request(1);
	await settled();
	t.equal(device.requests.length, 2);
	device.requests[1]?.answer("220500");
	(await device.request(2)).answer("100005", null, 429);
	await settled();
	t.equal(device.requests.length, 3, "a device that is busy is left alone");
	t.same(model.reasons.value, { task0: "Status 220500." });
	void model.loadTasks();
	(await device.request(3)).answer("000000", failed(2));
	t.match((await device.request(4)).path, /task_id=task1$/);
});

t.test("files beyond the first five hundred can be shown", async (t) => {
	const device = new FakeDevice(t);
	const model = await pageCode<Tasks>("pages/files/tasks.ts");
	const done = failed(700).map((it) => ({ ...it, desc: "Completed" }));
	const answerNext = async (number: number) => {
		const request = await device.request(number);
		const { searchParams } = new URL(request.path, "http://device");
		const count = Number(searchParams.get("count"));
		request.answer("000000", done.slice(0, count));
		await settled();
	};
	void model.loadTasks();
	await answerNext(0);
	t.equal(model.tasks.value.length, 500);
	t.equal(model.hasMore.value, true);
	void model.loadMore();
	await answerNext(1);
	t.equal(model.tasks.value.length, 700);
	t.equal(model.hasMore.value, false);
});

t.test("every list is there, however many", async (t) => {
	const device = new FakeDevice(t);
	const { storedLists } = await pageCode<{
		storedLists(kind: string): Promise<readonly { id: string }[]>;
	}>("parts/stored-lists.ts");
	const lists = Array.from({ length: 250 }, (_, i) => ({ id: `list${i}` }));
	const loading = storedLists("hotwords");
	for (const [number, from] of [0, 100, 199].entries())
		(await device.request(number)).answer("000000", {
			list: lists.slice(from, from + 100), // one was removed before the last
		});
	t.same(await loading, lists);
	t.match(
		device.requests.map((it) => it.path),
		[/page_index=1$/, /page_index=2$/, /page_index=3$/],
	);
});

t.test("a browser asks before entries that are not saved go", async (t) => {
	const events = new EventTarget();
	replaceGlobal(t, "addEventListener", events.addEventListener.bind(events));
	const drafts = await pageCode<{
		draftOf(
			kind: string,
			id: string,
			stored: readonly string[],
		): readonly string[] | undefined;
		keepDraft(
			kind: string,
			id: string,
			entries?: readonly string[],
			base?: readonly string[],
		): void;
	}>("pages/words/drafts.ts");
	const isAskedFor = () =>
		!events.dispatchEvent(new Event("beforeunload", { cancelable: true }));
	drafts.keepDraft("hotwords", "a", ["Norland", "Barton"], ["Barton", "gone"]);
	t.same(drafts.draftOf("hotwords", "a", ["Barton", "gone"]), [
		"Norland",
		"Barton",
	]);
	t.same(
		drafts.draftOf("hotwords", "a", ["Dashwood", "gone"]),
		["Dashwood", "Norland"],
		"what others added and removed meanwhile",
	);
	t.equal(drafts.draftOf("correction-words", "a", []), undefined);
	t.ok(isAskedFor());
	drafts.keepDraft("hotwords", "a", undefined);
	t.equal(drafts.draftOf("hotwords", "a", []), undefined);
	t.notOk(isAskedFor());
});

interface Player {
	readonly element: FakeAudio;
	readonly seconds: Box<number>;
	readonly trouble: Box<unknown>;
	toggle(): void;
	goTo(seconds: number): void;
	again(): void;
}

class FakeAudio {
	src = "";
	currentTime = 0;
	paused = true;
	onerror: () => void = () => {};
	play = async () => {};
}

t.test("why audio does not play is what the device says", async (t) => {
	const device = new FakeDevice(t);
	replaceGlobal(t, "Audio", FakeAudio);
	const { Player } = await pageCode<{ Player: new (path: string) => Player }>(
		"pages/files/player.ts",
	);
	const player = new Player("v1/asrfile/tasks/task/audio");
	player.goTo(7);
	const troubleAfter = async (answer: (number: number) => Promise<void>) => {
		const number = device.requests.length;
		player.element.onerror();
		await answer(number);
		await settled();
		return player.trouble.value;
	};
	const away = async (number: number) => (await device.request(number)).fail();
	t.match(await troubleAfter(away), { wrong: /No connection/ });
	player.element.currentTime = 0; // browsers begin anew with a source
	player.again();
	t.equal(player.trouble.value, undefined);
	t.equal(player.element.currentTime, 7);
	const answered = (http: number) => async (number: number) =>
		(await device.request(number)).answer("x", null, http);
	t.equal(await troubleAfter(answered(404)), "gone");
	t.equal(await troubleAfter(answered(206)), "unplayable");
	t.match(await troubleAfter(answered(503)), { wrong: "Status x." });
});

t.test("a transcript is saved under the name of its audio", async (t) => {
	const { withoutEnding } = await pageCode<{
		withoutEnding: (name: string) => string;
	}>("audio/formats.ts");
	for (const [fileName, name] of savedNames)
		t.equal(withoutEnding(fileName), name);
	for (const call of ["a84b4c76@pc33.example.com", "42@pbx.local"])
		t.equal(withoutEnding(call), call, "a call has no ending");
});

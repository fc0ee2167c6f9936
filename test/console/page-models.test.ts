/** What pages keep and do, without a browser: their models between a microphone, a socket and a device that are made here. */
import { mock } from "node:test";
import t from "tap";
import { Deferred } from "../../runtime/event-loop/deferred.js";
import { eventually, untilStill } from "../fixtures/eventually.js";
import { pageCode, replaceGlobal } from "./page-code.js";

interface Model {
	readonly phase: { value: string };
	readonly trouble: {
		value: { readonly is: string; readonly why: string } | undefined;
	};
	readonly sentences: {
		value: readonly {
			readonly text: string;
			readonly room?: string;
		}[];
	};
	readonly partials: {
		value: ReadonlyMap<string, { readonly rest: string }>;
	};
	showMicrophoneText(
		microphone: object,
		message: object,
		connection: number,
	): void;
	readonly isShortened: { readonly value: boolean };
	add(sentence: object): void;
	readonly session: { value: unknown };
	readonly hasEnded: { readonly value: boolean };
	sendToFiles(wav: Blob): Promise<void>;
	readonly sent: { readonly value: unknown };
	recording(): Blob | undefined;
	clear(): void;
	speak(): Promise<void>;
	stop(): Promise<void>;
	transcribeRecorded(): Promise<void>;
	signOut(): Promise<void>;
	send(files: readonly File[]): void;
	readonly sendings: { readonly value: readonly object[] };
	readonly tasks: { value: readonly object[] | undefined };
	readonly status: { value: object | undefined };
}

/** What the model's surroundings do, and what came of it. */
const state = {
	opening: undefined as Error | undefined,
	context: undefined as Error | undefined,
	isTrackOn: false,
	/** Of the device to a plain request for the socket's path. */
	refusal: "230001",
	untilRefused: Promise.resolve(),
	heard: "",
	/** Its network swallows recordings. */
	isSwallowed: false,
	recordings: 0,
	/** Requests that are answered until the connection is lost. */
	answered: Number.POSITIVE_INFINITY,
	uploads: [] as string[],
	sent: undefined as FormData | undefined,
	/** The token of whoever is signed in. */
	isInForce: true,
	/** How often it was asked who is signed in; the answers wait for the second. */
	checks: 0,
	untilAnswered: Promise.resolve(),
};
let frame = (_samples: Int16Array) => {};
let socket: {
	onclose?: (event: { code: number; reason: string }) => void;
	onmessage?: (event: { data: string }) => void;
} = {};
/** As a browser says it where it was not opened, or broke. */
const lost = { code: 1006, reason: "" };

const answer = (status: string, data: unknown = null) =>
	new Response(JSON.stringify({ status, message: status, data }), {
		status: status === "000000" ? 200 : 400,
	});

function aborted(signal: AbortSignal): Promise<never> {
	return new Promise((_, reject) => {
		signal.addEventListener("abort", () => reject(signal.reason));
	});
}

const made = {
	document: { baseURI: "http://device.test/console/", documentElement: {} },
	location: new URL("http://device.test/console/"),
	addEventListener() {},
	navigator: {
		languages: ["en-US"],
		language: "en-US",
		mediaDevices: {
			async getUserMedia() {
				if (state.opening) throw state.opening;
				state.isTrackOn = true;
				const stop = () => {
					state.isTrackOn = false;
				};
				return { getTracks: () => [{ stop }] };
			},
			enumerateDevices: async () => [],
		},
	},
	AudioContext: class {
		audioWorklet = { addModule: async () => {} };
		createMediaStreamSource() {
			if (state.context) throw state.context;
			return { connect() {} };
		}
		async resume() {}
		async close() {}
	},
	AudioWorkletNode: class {
		port = {
			set onmessage(take: (event: { data: object }) => void) {
				frame = ({ buffer }) => take({ data: { frame: buffer, peak: 0.5 } });
			},
		};
	},
	WebSocket: class {
		bufferedAmount = 0;
		constructor() {
			socket = this as typeof socket;
		}
		send() {}
		close() {}
	},
	XMLHttpRequest: class {
		upload = {};
		onabort = () => {};
		open() {}
		setRequestHeader() {}
		send() {
			state.uploads.push("begun");
		}
		abort() {
			state.uploads.push("broken off");
			this.onabort();
		}
	},
	fetch: async (url: string, { body, signal }: RequestInit) => {
		if (state.answered-- <= 0) throw new TypeError("offline");
		if (body instanceof FormData) {
			state.sent = body;
			if (state.isSwallowed) await aborted(signal as AbortSignal);
		}
		if (url.includes("/v1/console/session")) {
			state.checks++;
			await state.untilAnswered;
			return answer("000000", { signed_in: state.isInForce });
		}
		if (url.includes("/v1/asr/api")) {
			state.recordings++;
			if (state.isSwallowed) await aborted(signal as AbortSignal);
			return answer("000000", { result: state.heard });
		}
		if (!url.includes("/v1/asr/ws")) return answer("000000");
		await state.untilRefused;
		return answer(state.refusal);
	},
	WORKLET_FILE: "capture.js",
};
for (const [name, value] of Object.entries(made)) replaceGlobal(t, name, value);

const model = await pageCode<Model>(
	"pages/live/live-model.ts",
	"pages/live/microphone-text.ts",
	"pages/live/partials.ts",
	"pages/live/sentences.ts",
	"pages/live/sent-recording.ts",
	"app/session.ts",
	"pages/files/tasks.ts",
	"pages/device/status.ts",
);
const signedIn = {
	signed_in: true,
	required: true,
	name: "one",
	scopes: ["admin"],
	device: { languages: ["en-US"] },
};
model.session.value = signedIn;
const pcm = (value: number) => new Int16Array(640).fill(value);

t.test("the last ten minutes are kept", async (t) => {
	await model.speak();
	frame(pcm(1));
	for (let i = 0; i < 15_000; i++) frame(pcm(2));
	const wav = Buffer.from(
		(await model.recording()?.arrayBuffer()) ?? new ArrayBuffer(0),
	);
	t.equal(wav.length, 44 + 15_000 * 1280);
	t.equal(wav.readInt16LE(44), 2, "what was said first is gone");
	await model.stop();
});

t.test("where the browser refuses the socket, all is recorded", async (t) => {
	await model.speak();
	state.heard = "as a whole";
	socket.onclose?.(lost);
	await eventually("the refusal", () => model.trouble.value?.is === "socket");
	t.ok(state.isTrackOn, "the microphone stays on");
	frame(pcm(3));
	t.equal(model.phase.value, "speaking");
	await model.stop();
	t.notOk(state.isTrackOn);
	t.equal(model.sentences.value.at(-1)?.text, "as a whole");
	model.clear();
});

t.test("a connection that is never there is not waited for", async (t) => {
	t.teardown(() => {
		mock.timers.reset();
		state.untilRefused = Promise.resolve();
	});
	mock.timers.enable({ apis: ["setTimeout"] });
	state.untilRefused = new Promise(() => {}); // its network swallows requests, too
	await model.speak();
	state.heard = "said meanwhile";
	frame(pcm(3));
	mock.timers.tick(9000);
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "starting");
	mock.timers.tick(1000);
	await untilStill(() => model.phase.value);
	t.equal(model.trouble.value?.is, "socket");
	t.equal(model.phase.value, "speaking", "recorded until it is stopped");
	await model.stop();
	t.notOk(state.isTrackOn);
	t.equal(model.sentences.value.at(-1)?.text, "said meanwhile");
	model.clear();
});

/** What is said without a connection is recorded, and sent as a whole. */
async function recordedWithoutConnection(frames: number): Promise<void> {
	await model.speak();
	socket.onclose?.(lost);
	await eventually("the refusal", () => model.trouble.value?.is === "socket");
	for (let i = 0; i < frames; i++) frame(pcm(3));
}

t.test("a recording that gets no answer is kept and sent again", async (t) => {
	t.teardown(() => {
		mock.timers.reset();
		state.isSwallowed = false;
	});
	await recordedWithoutConnection(1000); // 40 s
	mock.timers.enable({ apis: ["setTimeout"] });
	state.isSwallowed = true;
	state.recordings = 0;
	void model.stop();
	await untilStill(() => state.recordings);
	mock.timers.tick(100_000);
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "transcribing", "its length, and a while more");
	mock.timers.tick(200_000);
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "idle");
	t.match(model.trouble.value, { is: "unheard", why: /No connection/ });
	t.equal(model.sentences.value.length, 0);
	state.isSwallowed = false;
	state.heard = "sent again";
	await model.transcribeRecorded();
	t.equal(model.trouble.value, undefined);
	t.equal(model.sentences.value.at(-1)?.text, "sent again");
	t.equal(state.recordings, 2);
	model.trouble.value = { is: "unheard", why: "" };
	model.clear();
	t.equal(model.trouble.value, undefined, "what is cleared is not kept");
});

t.test("whoever signs out waits for no answer", async (t) => {
	t.teardown(() => {
		state.untilRefused = Promise.resolve();
		state.isSwallowed = false;
		model.session.value = signedIn;
	});
	const leave = async () => {
		model.session.value = { ...signedIn, signed_in: false };
		await untilStill(() => model.phase.value);
		t.notOk(state.isTrackOn);
		t.equal(model.phase.value, "idle");
		t.equal(model.trouble.value, undefined);
		model.session.value = signedIn;
	};
	const refusal = new Deferred<void>();
	state.untilRefused = refusal.promise;
	await model.speak();
	socket.onclose?.(lost);
	t.ok(state.isTrackOn, "until it is known why there is no connection");
	await leave();
	await model.speak();
	refusal.resolve();
	await untilStill(() => model.phase.value);
	t.match([state.isTrackOn, model.phase.value], [true, "starting"]);
	socket.onclose?.(lost); // of the next one, who is refused as well
	await eventually("the refusal", () => model.trouble.value?.is === "socket");
	frame(pcm(3));
	state.isSwallowed = true;
	void model.stop();
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "transcribing");
	await leave();
});

t.test("a session that has started goes on", async (t) => {
	t.teardown(() => mock.timers.reset());
	mock.timers.enable({ apis: ["setTimeout"] });
	await model.speak();
	const header = { name: "TranscriptionStarted", task_id: "task" };
	socket.onmessage?.({ data: JSON.stringify({ header }) });
	mock.timers.tick(60_000);
	await untilStill(() => model.phase.value);
	t.match([model.phase.value, model.trouble.value], ["speaking", undefined]);
	socket.onclose?.({ code: 1012, reason: "the end" });
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "idle");
});

t.test("a recording without speech adds no text", async (t) => {
	await model.speak();
	state.heard = "";
	socket.onclose?.(lost);
	await eventually("the refusal", () => model.trouble.value?.is === "socket");
	frame(pcm(0));
	await model.stop();
	t.same(model.sentences.value, []);
});

t.test("where the device refuses, its reason is shown", async (t) => {
	state.refusal = "110003";
	await model.speak();
	frame(pcm(3));
	socket.onclose?.(lost);
	await eventually("the end", () => model.phase.value === "idle");
	t.equal(model.trouble.value?.is, "ended");
	t.notOk(state.isTrackOn);
});

t.test("several microphones of the device do not mix", async (t) => {
	const inKitchen = { id: "a", room: "Kitchen", language: "en-US" };
	const atDoor = { id: "door", room: "", language: "ja-JP" };
	const show = model.showMicrophoneText;
	show(inKitchen, { is: "partial", text: "it is" }, 1);
	show(atDoor, { is: "partial", text: "good" }, 2);
	t.same(
		[...model.partials.value.values()].map(({ rest }) => rest),
		["it is", "good"],
	);
	const final = { is: "final", text: "Good morning.", index: 1, confidence: 1 };
	show(atDoor, final, 2);
	t.same([...model.partials.value.keys()], ["a"], "it goes on growing");
	show(inKitchen, { ...final, text: "It is late." }, 1);
	t.match(model.sentences.value, [
		{ text: "Good morning.", room: "door", language: "ja-JP" },
		{ text: "It is late.", room: "Kitchen", language: "en-US" },
	]);
	show(inKitchen, { is: "partial", text: "and" }, 1);
	model.clear();
	t.same([model.partials.value.size, model.sentences.value], [0, []]);
});

t.test("a page that is open for days keeps the last sentences", async (t) => {
	const addUpTo = (from: number, to: number) => {
		for (let i = from; i <= to; i++) model.add({ key: `${i}`, text: `${i}` });
	};
	addUpTo(1, 2000);
	t.notOk(model.isShortened.value);
	addUpTo(2001, 2100);
	t.equal(model.sentences.value.length, 2000);
	t.match(model.sentences.value[0], { text: "101" });
	t.ok(model.isShortened.value, "it is said");
	model.clear();
	t.notOk(model.isShortened.value);
});

t.test("a connection that is lost is said in words", async (t) => {
	const endWith = async (end: typeof lost) => {
		await model.speak();
		const header = { name: "TranscriptionStarted", task_id: "task" };
		socket.onmessage?.({ data: JSON.stringify({ header }) });
		t.equal(model.phase.value, "speaking");
		socket.onclose?.(end);
		await eventually("the end", () => model.phase.value === "idle");
		t.notOk(state.isTrackOn);
		return model.trouble.value;
	};
	t.same(await endWith(lost), { is: "lost", why: "" });
	const shutDown = { code: 1012, reason: "the device restarts" };
	t.same(await endWith(shutDown), { is: "ended", why: "the device restarts" });
});

t.test("a microphone in use is not one that is forbidden", async (t) => {
	state.opening = new DOMException("in use", "NotReadableError");
	await model.speak();
	t.equal(model.trouble.value?.is, "failed");
	state.opening = new DOMException("no", "NotAllowedError");
	await model.speak();
	t.equal(model.trouble.value?.is, "refused");
	state.opening = undefined;
	state.context = new Error("no context");
	await model.speak();
	t.equal(model.trouble.value?.is, "failed");
	t.notOk(state.isTrackOn, "and the microphone is off");
});

t.test("a recording is named by when it was made", async (t) => {
	state.context = undefined;
	t.teardown(() => mock.timers.reset());
	const began = new Date(2026, 10, 30, 9, 5, 7);
	mock.timers.enable({ apis: ["Date"], now: began });
	await model.speak();
	frame(pcm(3));
	mock.timers.tick(60_000);
	await model.stop();
	await model.sendToFiles(model.recording() as Blob);
	const file = state.sent?.get("file") as File;
	t.equal(file.name, "2026-11-30 09-05-07 English.wav");
	model.clear();
});

t.test("one that can't be sent to Files can be sent again", async (t) => {
	t.teardown(() => {
		mock.timers.reset();
		state.isSwallowed = false;
	});
	mock.timers.enable({ apis: ["setTimeout"] });
	state.isSwallowed = true;
	state.sent = undefined;
	const wav = new Blob([pcm(3)]);
	void model.sendToFiles(wav);
	await untilStill(() => state.sent);
	t.equal(model.sent.value, "sending");
	mock.timers.tick(61_000);
	await untilStill(() => model.sent.value);
	t.match(model.sent.value, { wrong: /No connection/ });
	state.isSwallowed = false;
	await model.sendToFiles(wav);
	t.equal(model.sent.value, "done");
});

t.test("a microphone is not on after the token was revoked", async (t) => {
	t.teardown(() => mock.timers.reset());
	mock.timers.enable({ apis: ["setInterval"] });
	await model.speak();
	const header = { name: "TranscriptionStarted", task_id: "task" };
	socket.onmessage?.({ data: JSON.stringify({ header }) });
	mock.timers.tick(10_000);
	await untilStill(() => model.phase.value);
	t.equal(model.phase.value, "speaking", "as long as it is in force");
	const device = new Deferred<void>();
	state.untilAnswered = device.promise;
	const checksBefore = state.checks;
	for (let second = 0; second < 30; second += 10) {
		mock.timers.tick(10_000);
		await untilStill(() => state.checks);
	}
	t.equal(state.checks, checksBefore + 1, "a device that hangs is asked once");
	device.resolve();
	await untilStill(() => model.phase.value);
	state.isInForce = false;
	mock.timers.tick(10_000);
	await eventually("the end", () => model.phase.value === "idle");
	t.notOk(state.isTrackOn);
	t.ok(model.hasEnded.value, "and it is said");
	state.isInForce = true;
	model.session.value = signedIn;
});

t.test("whoever signs out leaves nothing to the next", async (t) => {
	model.send([new File(["a"], "a.wav"), new File(["b"], "b.wav")]);
	await eventually("the upload", () => state.uploads.length === 1);
	model.tasks.value = [{}];
	model.status.value = {};
	state.answered = 0;
	await t.rejects(model.signOut(), "not signed out where it is offline");
	t.equal(model.sendings.value.length, 2);
	state.answered = 1;
	await model.signOut();
	t.match(model.session.value, { signed_in: false }, "also if no more is said");
	await eventually("the end", () => state.uploads.includes("broken off"));
	await untilStill(() => state.uploads.length);
	t.same(state.uploads, ["begun", "broken off"]);
	t.same(model.sendings.value, []);
	t.equal(model.tasks.value, undefined);
	t.equal(model.status.value, undefined);
});

/** Conversations over a real socket, with a lane that does as the test says (docs/vosk.md). */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { until, untilStill } from "../fixtures/eventually.js";
import { madeUtterance } from "../session/made-utterances.js";
import { startVosk } from "./running-vosk.js";
import { VoskClient } from "./vosk-client.js";

const { lane, port, metrics } = await startVosk(t);

async function peer(path = "/"): Promise<VoskClient> {
	lane.behaviour = { holdResult: true };
	lane.opened.length = 0;
	lane.options = undefined;
	return VoskClient.open(port, path);
}

function utterance(index: number, text: string) {
	const word = (text: string, startMs: number, kind: "normal" | "punc") => ({
		text,
		startMs,
		endMs: startMs + 200,
		kind,
		confidence: 0.90001,
	});
	return madeUtterance(text, {
		index,
		beginMs: 100,
		confidence: 0.80001,
		words: [word(text.replace(".", ""), 100, "normal"), word(".", 300, "punc")],
	});
}

function emitFinal(text: string, index = 1): void {
	lane.last.emit({
		is: "final",
		utterance: utterance(index, text),
		audioMs: 900,
	});
}

function complete(audioMs: number): void {
	lane.last.emit({
		is: "completed",
		text: "",
		confidence: 0,
		words: [],
		audioMs,
		why: "finished",
	});
}

/** The lane's events have been read. */
const settled = () => untilStill(() => 0);

t.test("a client of vosk-server's own scripts", async (t) => {
	const client = await peer();
	client.configure({ sample_rate: 16_000 });
	t.same(await client.ask(6400), { partial: "" });
	t.match(lane.options, {
		sampleRateHz: 16_000,
		format: "pcm_s16le",
		language: "en-US",
		partials: true,
		words: true,
		keepsWhole: false,
		streamed: true,
	});
	lane.last.emit({
		is: "partial",
		utterance: utterance(1, "turn"),
		audioMs: 400,
	});
	await settled();
	t.same(await client.ask(6400), { partial: "turn" });
	emitFinal("Left.");
	await settled();
	t.same(await client.ask(6400), {
		text: "Left.",
		result: [{ word: "Left", start: 0.1, end: 0.3, conf: 0.9 }],
	});
	t.same(await client.ask(6400), { partial: "" });
	const last = client.eof();
	await until(() => lane.last.finished);
	emitFinal("Right.", 2);
	complete(2000);
	t.match(await last, { text: "Right." });
	t.match(await client.closed, { code: 1000 });
	t.equal(client.answers.length, 5, "one answer to each message");
	t.match(
		await metrics.text(),
		/^earshot_endpoint_requests_total\{endpoint="vosk",status="000000"\} 1/m,
	);
});

t.test(
	"sentences that ended at once come one by one, or joined at the end",
	async (t) => {
		const client = await peer("/en/any?path");
		client.configure({ words: 0 });
		await client.ask(800);
		t.equal(lane.options?.sampleRateHz, 8000, "Vosk's default");
		for (const [i, text] of ["One.", "Two.", "Three."].entries())
			emitFinal(text, i + 1);
		await settled();
		t.same(await client.ask(800), { text: "One." });
		const last = client.eof();
		await until(() => lane.last.finished);
		complete(200);
		t.same(await last, { text: "Two. Three." });
		await client.closed;
	},
);

t.test(
	"sentences are joined by the rule of the language that was identified",
	async (t) => {
		const client = await peer();
		client.configure({ words: 0 });
		await client.ask(800);
		t.match(lane.options, { languageChoices: ["en-US", "ja-JP"] });
		for (const [i, text] of ["はい。", "そうです。"].entries())
			lane.last.emit({
				is: "final",
				utterance: utterance(i + 1, text),
				audioMs: 900,
				language: "ja-JP",
			});
		const last = client.eof();
		await until(() => lane.last.finished);
		complete(200);
		t.same(await last, { text: "はい。そうです。" });
		await client.closed;
	},
);

t.test("reset: the sentence ends now, its words' times go on", async (t) => {
	const client = await peer();
	client.configure({ max_alternatives: 3 });
	await client.ask(800);
	const last = client.ask('{"reset" : 1}');
	await until(() => lane.last.finished);
	emitFinal("One.");
	complete(5000);
	const first = await last;
	t.match(first.alternatives, [{ text: "One.", confidence: 0.8 }]);
	client.configure({ max_alternatives: 0, sample_rate: "48000.0" });
	await client.ask(800);
	t.equal(lane.options?.sampleRateHz, 48_000, "of the next recognition");
	emitFinal("Two.");
	await settled();
	const { result } = await client.ask(800);
	t.match(result, [{ word: "Two", start: 5.1, end: 5.3 }]);
	client.socket.terminate();
	await until(() => lane.held === 0);
});

t.test("eof and reset without audio, also in binary", async (t) => {
	const client = await peer();
	t.same(await client.ask('{"reset":1}'), { text: "" });
	t.same(await client.ask(0), { partial: "" }, "an empty message");
	t.same(await client.ask(Buffer.from('{"eof" : 1}')), { text: "" });
	t.match(await client.closed, { code: 1000 });
	t.equal(lane.opened.length, 0, "no slot was taken");
});

t.test("phrase_list becomes hotwords, model is ignored", async (t) => {
	const client = await peer();
	client.configure({
		phrase_list: ["Dashwood", "[unk]", 7, "kitchen lamp"],
		model: "vosk-model-small-en-us",
	});
	await client.ask(800);
	t.same(lane.options?.hotwords?.list.entries, ["Dashwood", "kitchen lamp"]);
	client.socket.terminate();
});

t.test("all at once: an answer for each message, in order", async (t) => {
	const client = await peer();
	lane.behaviour = {};
	for (let i = 0; i < 500; i++) client.socket.send(new Uint8Array(2));
	client.socket.send('{"eof" : 1}');
	client.socket.send(new Uint8Array(2)); // nobody answers after the end
	t.match(await client.closed, { code: 1000 });
	t.equal(client.answers.length, 501);
	t.equal(lane.last.bytes, 1000);
});

t.test(
	"a recognizer that is slower than its client: messages wait",
	async (t) => {
		const client = await peer();
		lane.behaviour = { stallTurns: -1, holdResult: true };
		await client.ask(8000);
		for (let i = 0; i < 4; i++) client.socket.send(new Uint8Array(8000));
		await untilStill(() => client.answers.length);
		t.ok(client.answers.length < 4, `${client.answers.length} answers`);
		while (client.answers.length < 5) {
			lane.last.drain();
			await untilStill(() => client.answers.length);
		}
		t.equal(lane.last.bytes, 40_000);
		client.socket.terminate();
	},
);

t.test("no answer is possible: closed with the reason", async (t) => {
	const cases = [
		[{ refuse: new CodedError("100004") }, 1013, /^100004: at capacity/],
		[{ failAfterBytes: 100 }, 1011, /^230004: /],
	] as const;
	for (const [behaviour, code, reason] of cases) {
		const client = await peer();
		lane.behaviour = behaviour;
		client.socket.send(new Uint8Array(800));
		t.match(await client.closed, { code, reason });
	}
	t.equal(lane.held, 0);
});

t.test("messages that can't be: closed with the reason", async (t) => {
	const cases = [
		["hello", /^200003: a text message must be JSON/],
		["[]", /^200003: a text message must be a JSON object/],
		['{"speak":1}', /^200003: a text message must have config/],
		['{"config":7}', /^200003: config must be a JSON object/],
		['{"config":{"sample_rate":1}}', /^200002: sample_rate must be an integer/],
		['{"config":{"sample_rate":""}}', /^200002: sample_rate must be/],
		['{"config":{"phrase_list":"a"}}', /^200002: phrase_list must be a list/],
	] as const;
	for (const [text, reason] of cases) {
		const client = await peer();
		client.socket.send(text);
		t.match(await client.closed, { code: 1008, reason });
	}
});

t.test(
	"a stop: who waits for an answer gets it, all others are closed",
	async (t) => {
		const stopping = await startVosk(t);
		stopping.lane.behaviour = { holdResult: true };
		const [idle, speaking, finishing] = (await Promise.all(
			[1, 2, 3].map(() => VoskClient.open(stopping.port)),
		)) as [VoskClient, VoskClient, VoskClient];
		await speaking.ask(800);
		await finishing.ask(800);
		const last = finishing.eof();
		await until(() => stopping.lane.last.finished);
		const stopped = stopping.endpoint.stop(20_000);
		const why = { code: 1013, reason: /^100004: the server is stopping/ };
		t.match(await idle.closed, why);
		t.match(await speaking.closed, why);
		stopping.lane.last.release();
		t.same(await last, { text: "" });
		await Promise.all([finishing.closed, stopped]);
	},
);

import t from "tap";
import { startApi } from "../api/running-api.js";
import { LiveClient } from "./live-client.js";

const word = {
	text: "hello",
	startMs: 100,
	endMs: 400,
	kind: "normal",
	confidence: 0.91237,
} as const;

function utterance(index: number, text: string, beginMs = 100) {
	const endMs = beginMs + 900;
	return { index, beginMs, endMs, text, confidence: 0.8, words: [word] };
}

t.test("a recognition, message by message", async (t) => {
	const api = await startApi(t);
	const client = await LiveClient.open(api.url, { token: api.token });
	client.start({ enable_words: true, user_id: "visitor-7" });
	const started = await client.hear("RecognitionStarted");
	client.audio(3200);
	const { last } = api.lane;
	last.tell({ is: "speech-begin", index: 1, atMs: 100 });
	last.tell({ is: "partial", utterance: utterance(1, "hel"), audioMs: 500 });
	last.tell({ is: "partial", utterance: utterance(1, "hel"), audioMs: 600 });
	last.tell({ is: "final", utterance: utterance(1, "hello"), audioMs: 1800 });
	const more = utterance(2, "world", 2000);
	last.tell({ is: "partial", utterance: more, audioMs: 1700 });
	await client.hear("RecognitionResultChanged", 3);
	client.stop();
	const completed = await client.hear("RecognitionCompleted");
	t.equal(await client.closed, 1000);
	const { task_id } = started.header;
	const header = {
		namespace: "SpeechRecognizer",
		name: "RecognitionStarted",
		status: "000000",
		status_text: "success",
		task_id,
		message_id: started.header.message_id,
		app_id: "tester",
		user_id: "visitor-7",
	};
	t.strictSame(started, {
		header,
		payload: {
			index: 0,
			time: 0,
			begin_time: 0,
			speaker_id: null,
			result: "",
			confidence: 0,
			words: null,
			user_id: "visitor-7",
		},
	});
	t.match(task_id, /^[0-9a-f]{32}$/);
	const shown = client.said.slice(1, -1);
	t.same(
		shown.map(({ payload }) => [payload.result, payload.time]),
		[
			["hel", 500],
			["hello", 1800],
			["hello world", 1800],
		],
		"what did not change is not said again, and time never runs back",
	);
	for (const { payload } of shown)
		t.match(payload, { index: 1, begin_time: 100, words: null });
	t.strictSame(completed, {
		header: {
			...header,
			name: "RecognitionCompleted",
			message_id: completed.header.message_id,
		},
		payload: {
			index: 1,
			time: 1800,
			begin_time: 100,
			speaker_id: null,
			result: "heard 3200 bytes",
			confidence: 0.9,
			words: [
				{
					word: "heard",
					start_time: 10,
					end_time: 20,
					type: "normal",
					confidence: 0.9,
					label: "",
				},
			],
			user_id: "visitor-7",
		},
	});
	const ids = new Set(client.said.map((it) => it.header.message_id));
	t.equal(ids.size, client.said.length, "each message has an id of its own");
	for (const said of client.said) t.equal(said.header.task_id, task_id);
});

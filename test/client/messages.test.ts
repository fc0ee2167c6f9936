import t from "tap";
import { readMessage } from "../../runtime/api/live/client-message.js";
import {
	parseMessage,
	startSpeakerMessage,
} from "../../runtime/client/messages.js";

t.test("the message of who speaks is as the server reads it", async (t) => {
	t.same(readMessage(JSON.parse(startSpeakerMessage("agent-7"))), {
		is: "speaker",
		namespace: "SpeechTranscriber",
		speakerId: "agent-7",
	});
});

t.test(
	"a completed result has its speaker, language and stored audio, where there are some",
	async (t) => {
		const parsed = (payload: object) =>
			parseMessage(
				JSON.stringify({
					header: { name: "RecognitionCompleted", status: "000000" },
					payload: { result: "今日", ...payload },
				}),
			) as { result: object };
		t.match(
			parsed({
				speaker_id: "agent-7",
				lang_type: "ja-JP",
				audio_url: "/v1/asr/audio/a.wav?signature=x",
			}),
			{
				result: {
					speakerId: "agent-7",
					language: "ja-JP",
					audioUrl: "/v1/asr/audio/a.wav?signature=x",
				},
			},
		);
		const none = Object.keys(parsed({ speaker_id: null, lang_type: 5 }).result);
		for (const field of ["speakerId", "language", "audioUrl"])
			t.notOk(none.includes(field), field);
	},
);

t.test(
	"the reading is returned with a final text, if there is one",
	async (t) => {
		const parsed = (spoken?: unknown) =>
			parseMessage(
				JSON.stringify({
					header: { name: "RecognitionCompleted", status: "000000" },
					payload: { result: "今日", spoken },
				}),
			);
		t.match(parsed("キョウ"), { result: { text: "今日", spoken: "キョウ" } });
		for (const none of [undefined, null, 5])
			t.notOk("spoken" in (parsed(none) as { result: object }).result);
	},
);

t.test(
	"messages that are not of the protocol are known as others",
	async (t) => {
		for (const name of ["pong", "constructor", "toString", "__proto__"]) {
			const payload = { result: "text" };
			const message = JSON.stringify({ header: { name }, payload });
			t.same(parseMessage(message), { is: "other", name });
		}
	},
);

/** What `earshot transcribe --json` writes of a transcript. */
import t from "tap";
import { asJson } from "../../runtime/cli/file-transcriber.js";
import { madeUtterance } from "../session/made-utterances.js";

t.test("confidences have four digits, as at every interface", async (t) => {
	const confidence = 0.123449;
	const word = { text: "one", startMs: 0, endMs: 100, kind: "normal" } as const;
	const json = asJson(
		{
			file: { path: "one.wav", name: "one.wav", bytes: 100, format: "wav" },
			language: "en-US",
			utterances: [
				madeUtterance("One.", { confidence, words: [{ ...word, confidence }] }),
			],
			whole: {
				is: "completed",
				text: "One.",
				confidence,
				words: [],
				audioMs: 900,
				why: "finished",
			},
		},
		true,
	);
	t.match(json, {
		confidence: 0.1234,
		segments: [{ confidence: 0.1234, words: [{ confidence: 0.1234 }] }],
	});
});

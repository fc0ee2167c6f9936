/** Two languages that take turns in one recording, on a whole appliance: each is heard in its own. */
import t from "tap";
import { sharedAppliance } from "../e2e/shared-appliance.js";
import { askAsFile, askOverHttp, askOverWebSocket } from "./ask.js";
import { joinSentences, missingFrom, readSentences } from "./sentences.js";

t.test("two languages that take turns", async (t) => {
	const earshot = await sharedAppliance();
	for (const [language, names] of [
		["zh-en", ["zh-weather", "en-garden", "zh-meeting"]],
		["ja-en", ["en-train", "ja-train", "en-library"]],
	] as const)
		t.test(`${language}: both are heard`, async (t) => {
			const sentences = readSentences(...names);
			const { samples } = joinSentences(sentences, { pauseSeconds: 0.6 });
			const text = await askOverHttp(earshot, samples, language);
			t.same(missingFrom(text, sentences), [], `HTTP: ${text}`);
			const file = await askAsFile(earshot, samples, language);
			t.same(missingFrom(file, sentences), [], `file: ${file}`);
			if (language !== "ja-en") return; // once is enough: what decides is the audio, not the pair
			const streamed = await askOverWebSocket(earshot, samples, language);
			t.equal(streamed, text, "the same over WebSocket");
		});
});

/** Partials of mixed speech: their language, and what is kept when it changes. No model, no clock. */

import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Decode } from "../../runtime/session/decode-plan.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import type { Language } from "../../runtime/text/languages.js";
import { madeHypothesis } from "./made-utterances.js";
import { of, perform, rehearse, speech } from "./rehearsal.js";

const rate = 16_000;
const [zh, en] = ["zh-cmn-Hans-CN", "en-US"] as const;
const session = () =>
	rehearse({ language: "zh-cmn-Hans-CN-en-US", partials: true });

/** The speaker pauses from 3.2 to 3.6 s. */
const silentWord = 8;

interface DecodeRequest {
	readonly from: number;
	readonly to: number;
	readonly decode: Decode;
}

/**
 * A word every 0.4 s, Chinese before a sample and English after it; the language is known from more than 0.8 s of audio.
 * @param requests receives the requests.
 */
function speaker(changeSeconds: number, requests: DecodeRequest[]) {
	const wordsOf = (from: number, to: number) => {
		const words: string[] = [];
		for (let i = Math.ceil(from / 0.4); (i + 1) * 0.4 <= to; i++)
			if (i !== silentWord)
				words.push(i * 0.4 < changeSeconds ? "字" : `word${i}`);
		return words
			.join(" ")
			.replaceAll("字 字", "字字")
			.replaceAll("字 字", "字字");
	};
	return (decode: Decode): Hypothesis => {
		const { segment, urgency, spokenIn, presumedIn } = decode;
		const from = segment.startSample / rate;
		const to = segment.endSample / rate;
		requests.push({ from, to, decode });
		const text = wordsOf(from, to);
		const found = madeHypothesis(text, { confidence: 0.95 });
		const both = from < changeSeconds && to > changeSeconds + 1;
		if (urgency !== "partial")
			return both
				? found
				: { ...found, spokenIn: from < changeSeconds ? zh : en };
		if (spokenIn) return { ...found, spokenIn };
		const isShort = to - from < 0.8;
		const own: Language = from < changeSeconds ? zh : en;
		const logOdds = (own === zh ? 1 : -1) * (isShort ? 0.5 : 6);
		return {
			...found,
			spokenIn: isShort ? (presumedIn ?? own) : own,
			languageLogOdds: [logOdds],
		};
	};
}

const partialsOf = (events: readonly SessionEvent[]) =>
	of(events, "partial").map((it) => it.utterance.text);

t.test("nothing is shown before its language is known", async (t) => {
	const requests: DecodeRequest[] = [];
	const samples = speech(-500, 4000, -1500);
	const { events } = await perform(session(), samples, {
		recognize: speaker(99, requests),
	});
	const partials = requests.filter((it) => it.decode.urgency === "partial");
	const first = of(events, "partial")[0];
	t.ok(partials[0] && partials[0].to - partials[0].from < 0.8, "asked earlier");
	t.ok((first?.audioMs ?? 0) >= 250 + 800, `${first?.audioMs}`);
	t.equal(first?.utterance.spokenIn, zh);
	const later = partials.at(-1)?.decode;
	t.equal(later?.spokenIn, zh, "once it is known it holds");
	t.notOk(partials[0]?.decode.spokenIn);
});

t.test(
	"after a pause it may be another one; shown text is not retracted",
	async (t) => {
		const requests: DecodeRequest[] = [];
		const samples = speech(-400, 2800, -400, 3200, -1500);
		const { events } = await perform(session(), samples, {
			recognize: speaker(3.2, requests),
		});
		const shown = partialsOf(events).map((it) => it.replaceAll(" ", ""));
		shown.forEach((text, i) => {
			t.ok(
				text.startsWith(shown[i - 1] ?? ""),
				`${text} after ${shown[i - 1]}`,
			);
		});
		t.match(shown.at(-1), /^字+word9word10/);
		const behind = requests.filter(
			({ from, decode }) => decode.urgency === "partial" && from > 3,
		);
		t.ok(behind.length > 4, "partials recognize only what is new");
		t.same(behind[0]?.decode.spokenIn, undefined);
		t.equal(behind[0]?.decode.presumedIn, zh);
		t.equal(behind.at(-1)?.decode.spokenIn, en);
		t.equal(of(events, "final").length, 1);
	},
);

t.test(
	"a sentence is presumed to be in the language of the last one",
	async (t) => {
		const requests: DecodeRequest[] = [];
		const samples = speech(-400, 2800, -1500, 3200, -1500);
		const { events } = await perform(session(), samples, {
			recognize: speaker(4, requests),
		});
		t.same(
			of(events, "final").map((it) => it.utterance.spokenIn),
			[zh, en],
		);
		const second = requests.find(
			({ from, decode }) => from > 4 && decode.urgency === "partial",
		);
		t.equal(second?.decode.presumedIn, zh);
		t.notOk(
			partialsOf(events).some((it) => /^word\d+字/.test(it)),
			"and shown in its own language",
		);
	},
);

t.test("a language that becomes known replaces the presumed one", async (t) => {
	let decodes = 0;
	const samples = speech(-400, 5000, -1500);
	const { events } = await perform(session(), samples, {
		recognize: ({ segment, urgency }) => {
			const seconds = segment.samples.length / rate;
			const isKnown = seconds > 3.5 || urgency !== "partial";
			decodes++;
			const count = Math.floor(seconds / 0.4);
			const text = isKnown
				? Array.from({ length: count }, (_, i) => `word${i}`).join(" ")
				: "字".repeat(count);
			return madeHypothesis(text, {
				confidence: 0.95,
				spokenIn: isKnown ? en : zh,
				languageLogOdds: [isKnown ? -5 : 0.3],
			});
		},
	});
	const shown = partialsOf(events);
	t.ok(decodes > shown.length);
	t.match(
		shown[0],
		/^字/,
		"after two seconds of speech text is shown all the same",
	);
	const changes = shown.filter(
		(it, i) => !it.startsWith(shown[i - 1] ?? ""),
	).length;
	t.equal(changes, 1);
	t.match(shown.at(-1), /^word0 word1/);
});

/** Live recognition: partials, sentences that end on demand, automatic stop. No model, no clock. */
import t from "tap";
import type { Hypothesis } from "../../runtime/models/recognizer.js";
import type { Segment } from "../../runtime/segmentation/events.js";
import type { Decode } from "../../runtime/session/decode-plan.js";
import { holds } from "../fuzz/holds.js";
import { paceMakesNoDifference } from "./live.property.js";
import { of, perform, recognize, rehearse, speech } from "./rehearsal.js";

const wordSeconds = 0.4;

/** One word for each 0.4 s from the session's start, so that later and longer decodes give the same words. */
function counting({ segment }: { readonly segment: Segment }): Hypothesis {
	const first = Math.ceil(segment.startSample / 16_000 / wordSeconds);
	const last = Math.floor(segment.endSample / 16_000 / wordSeconds);
	const numbers = Array.from({ length: last - first }, (_, i) => first + i);
	return {
		text: numbers.map((it) => `w${it}`).join(" "),
		tokens: numbers,
		confidence: 0.9,
		words: numbers.map((it, i) => ({
			text: `w${it}`,
			startSeconds: it * wordSeconds - segment.startSample / 16_000,
			endSeconds: (it + 1) * wordSeconds - segment.startSample / 16_000,
			kind: "normal",
			confidence: 0.5 + i / 1000,
		})),
		guards: [],
	};
}

t.test("partials arrive during speech, and grow", async (t) => {
	const { events, decodes } = await perform(
		rehearse({ partials: true }),
		speech(-500, 5000, -1500),
		{ recognize: counting },
	);
	const partials = of(events, "partial");
	t.ok(partials.length >= 8, `${partials.length} partials`);
	t.ok(decodes.partial >= partials.length);
	let before = "";
	for (const { utterance } of partials) {
		t.ok(utterance.text.startsWith(before), utterance.text);
		t.not(utterance.text, before, "only changed partials are emitted");
		t.equal(utterance.index, 1);
		t.same(utterance.words, []);
		before = utterance.text;
	}
	t.equal(of(events, "final").length, 1);
	t.equal(events[0]?.is, "speech-begin");
});

t.test("without a request there are no partials", async (t) => {
	const { events, decodes } = await perform(rehearse(), speech(-500, 5000), {
		recognize: counting,
	});
	t.equal(decodes.partial, 0);
	t.same(of(events, "partial"), []);
});

t.test("costly partials are rare", async (t) => {
	const count = async (cost: number) =>
		(
			await perform(rehearse({ partials: true }), speech(-500, 20_000), {
				recognize: counting,
				chunk: () => 512,
				costSeconds: () => cost,
			})
		).decodes.partial;
	const [cheap, dear, dearest] = [
		await count(0.01),
		await count(0.5),
		await count(2),
	];
	t.ok(cheap >= 70 && cheap <= 85, `${cheap} of 10 ms`);
	t.ok(dear >= 18 && dear <= 21, `${dear} of 500 ms`);
	t.ok(dearest >= 4 && dearest <= 6, `${dearest} of 2 s`);
});

t.test(
	"while nothing is shown, partials come more often, but not for long",
	async (t) => {
		for (const [costSeconds, atFirst, later] of [
			[0.5, 0.5, 1],
			[0.05, 0.05, 0.24],
		] as const) {
			const ends: number[] = [];
			await perform(rehearse({ partials: true }), speech(-500, 8000), {
				recognize: (decode) => {
					if (decode.urgency === "partial") ends.push(decode.segment.endSample);
					return { ...counting(decode), text: "" };
				},
				chunk: () => 512,
				costSeconds: () => costSeconds,
			});
			const apart = ends
				.slice(1)
				.map((it, i) => (it - (ends[i] ?? 0)) / 16_000);
			t.ok(
				apart.slice(0, 3).every((it) => it >= atFirst && it < atFirst + 0.1),
				`${apart}`,
			);
			t.ok(
				apart.slice(-3).every((it) => it >= later && it < later + 0.1),
				`${apart}`,
			);
		}
	},
);

t.test("cheap partials have the configured distance", async (t) => {
	for (const [partialMs, most] of [
		[1000, 20],
		[5000, 4],
	] as const) {
		const { decodes } = await perform(
			rehearse({ partials: true, partialMs }),
			speech(-500, 20_000),
			{ recognize: counting, chunk: () => 512, costSeconds: () => 0.01 },
		);
		// the first ones are closer together, until something is shown
		t.ok(
			decodes.partial >= most && decodes.partial <= most + 10,
			`${decodes.partial} partials, ${partialMs} ms apart`,
		);
	}
});

t.test("a partial's audio does not grow with the segment", async (t) => {
	const decoded: Decode[] = [];
	const { events } = await perform(
		rehearse({ partials: true, partialWords: true }),
		speech(-500, 26_000, -1500),
		{
			recognize: (decode) => {
				if (decode.urgency === "partial") decoded.push(decode);
				return counting(decode);
			},
		},
	);
	const longest = Math.max(...decoded.map((it) => it.segment.samples.length));
	t.ok(longest < 12 * 16_000, `${longest / 16_000} s`);
	t.ok(longest > 10 * 16_000, "the bound was reached");
	const partials = of(events, "partial").map((it) => it.utterance);
	const last = partials.at(-1);
	const words = (last?.text ?? "").split(" ");
	t.ok(words.length > 55, `${words.length} words at the end`);
	words.forEach((word, i) => {
		t.equal(word, `w${i + 1}`, "nothing is lost at a border");
	});
	t.same(
		last?.words.map((it) => it.text),
		words,
	);
	let endMs = 0;
	for (const word of last?.words ?? []) {
		t.ok(word.startMs >= endMs - 1, `${word.text} begins at ${word.startMs}`);
		endMs = word.endMs;
	}
	for (const partial of partials)
		t.equal(partial.beginMs, partials[0]?.beginMs, "it is the same sentence");
});

t.test("a partial of sound without text does not grow either", async (t) => {
	const seconds: number[] = [];
	const { events } = await perform(
		rehearse({ partials: true }),
		speech(-500, 26_000, -1500),
		{
			recognize: (decode) => {
				const { urgency, segment } = decode;
				const heard = counting(decode);
				if (urgency !== "partial") return heard;
				seconds.push(segment.samples.length / 16_000);
				// somebody speaks at last
				return segment.endSample > 22 * 16_000 ? heard : { ...heard, text: "" };
			},
		},
	);
	const longest = Math.max(...seconds);
	t.ok(longest < 12, `${longest} s`);
	t.ok(longest > 10, "the bound was reached");
	t.ok(of(events, "partial").length > 0, "the words at its end are shown");
});

t.test("speech that nothing was shown of keeps its beginning", async (t) => {
	let hasText = false;
	const { events } = await perform(
		rehearse({ partials: true }),
		speech(-500, 14_000, -1500),
		{
			recognize: (decode) => {
				const heard = counting(decode);
				if (decode.urgency !== "partial") return heard;
				// the first text is that of more than the longest window, and too doubtful to be shown by itself
				hasText ||= decode.segment.samples.length > 11 * 16_000;
				return hasText ? { ...heard, confidence: 0.5 } : { ...heard, text: "" };
			},
		},
	);
	const [first] = of(events, "partial");
	t.match(first?.utterance.text, /^w1 w2 w3 /);
});

t.test("a committed beginning is forced on the next partial", async (t) => {
	const prefixes: (readonly number[] | undefined)[] = [];
	await perform(rehearse({ partials: true }), speech(-500, 4000), {
		recognize: (decode) => {
			if (decode.urgency === "partial") prefixes.push(decode.prefixTokens);
			else
				t.equal(
					decode.prefixTokens,
					undefined,
					"a final is decoded from scratch",
				);
			return counting(decode);
		},
	});
	t.same(prefixes[0], []);
	t.ok((prefixes.at(-1)?.length ?? 0) > 4);
});

t.test(
	"an unneeded speculative decode is used as the next partial",
	async (t) => {
		const session = rehearse({ partials: true });
		await session.accept(speech(-500, 400, -300));
		const guess = session.nextDecode("partial");
		t.equal(guess?.urgency, "speculative");
		if (!guess) return;
		await session.accept(speech(400));
		t.equal(session.mayAbandon(guess, false), false, "it is worth its end");
		t.equal(session.mayAbandon(guess, true), true, "but it may be abandoned");
		const events = session.settle(guess, recognize(guess.segment));
		t.match(events, [{ is: "partial", utterance: { text: /voiced/ } }]);
	},
);

t.test("a partial is aborted for finals that are owed", async (t) => {
	const session = rehearse({ partials: true });
	await session.accept(speech(-500, 1500));
	const partial = session.nextDecode("partial");
	t.equal(partial?.urgency, "partial");
	if (!partial) return;
	t.equal(session.mayAbandon(partial, false), false);
	t.equal(session.mayAbandon(partial, true), true);
	await session.accept(speech(-300));
	t.equal(session.mayAbandon(partial, false), true, "a pause began");
	session.settle(partial, "cancelled");
	t.equal(session.nextDecode("partial")?.urgency, "speculative");
});

t.test("a late partial of an ended segment is not emitted", async (t) => {
	const session = rehearse({ partials: true });
	await session.accept(speech(-500, 1500));
	const partial = session.nextDecode("partial");
	if (!partial) throw new Error("no partial");
	await session.finish();
	t.same(session.settle(partial, counting(partial)), []);
});

await holds(t, paceMakesNoDifference(), 12);

t.test("it stops automatically as soon as speech ends", async (t) => {
	const session = rehearse({ suffixSilenceMs: 0 });
	const { events } = await perform(session, speech(-3000, 1000, -5000, 1000));
	t.equal(of(events, "final").length, 1);
	t.match(of(events, "completed"), [{ why: "suffix-silence" }]);
	const [completed] = of(events, "completed");
	const ended = 3000 + 1000 + 800;
	t.ok(Math.abs((completed?.audioMs ?? 0) - ended) <= 64);
	t.equal(session.acceptsAudio, false);
});

t.test("or after a given silence after speech", async (t) => {
	for (const suffixSilenceMs of [300, 1500, 4000]) {
		const { events } = await perform(
			rehearse({ suffixSilenceMs }),
			speech(-6000, 1000, -200, 500, -6000, 500),
		);
		const [completed] = of(events, "completed");
		t.equal(completed?.why, "suffix-silence");
		const ended = 7700 + suffixSilenceMs;
		t.ok(Math.abs((completed?.audioMs ?? 0) - ended) <= 64, `${ended}`);
		t.equal(of(events, "final").length, 1);
	}
});

t.test("or after a single short word, uncertain as it is", async (t) => {
	const word = speech(-1000, 160, -3000).map((it) => Math.min(it, 0.62));
	const session = rehearse({ oneText: true, suffixSilenceMs: 1000 });
	const { events } = await perform(session, word);
	const [completed] = of(events, "completed");
	t.equal(completed?.why, "suffix-silence");
	t.ok(Math.abs((completed?.audioMs ?? 0) - 2160) <= 64);
	t.equal(of(events, "final").length, 1);
});

t.test("silence before any speech stops nothing", async (t) => {
	for (const suffixSilenceMs of [0, 500]) {
		const { events } = await perform(
			rehearse({ suffixSilenceMs, durationSecondsMax: 20 }),
			speech(-30_000),
		);
		t.match(events, [{ is: "completed", why: "duration", text: "" }]);
	}
});

t.test("where that is requested, it stops if nobody speaks", async (t) => {
	const options = { suffixSilenceMs: 700, unspokenMs: 15_000 };
	const { events } = await perform(rehearse(options), speech(-30_000));
	const [completed, ...others] = events;
	t.match(completed, { is: "completed", why: "suffix-silence", text: "" });
	t.same(others, []);
	const [{ audioMs = 0 } = {}] = of(events, "completed");
	t.ok(audioMs >= 15_000 && audioMs <= 15_064, `${audioMs}`);
	const late = await perform(
		rehearse(options),
		speech(-14_000, 3000, -500, 3000, -3000),
	);
	t.equal(of(late.events, "final").length, 1);
	const [end] = of(late.events, "completed");
	t.ok(Math.abs((end?.audioMs ?? 0) - 21_200) <= 64, "700 ms after the speech");
});

t.test("a sentence ends where requested", async (t) => {
	const session = rehearse();
	const events = [...(await session.accept(speech(-500, 2000)))];
	events.push(...session.endSentence());
	events.push(...(await session.accept(speech(2000))));
	events.push(...(await session.finish()));
	for (;;) {
		const decode = session.nextDecode("final");
		if (!decode) break;
		events.push(...session.settle(decode, recognize(decode.segment)));
	}
	const finals = of(events, "final").map((it) => it.utterance);
	t.equal(finals.length, 2);
	t.equal(finals[0]?.endMs, finals[1]?.beginMs);
	t.ok(Math.abs((finals[0]?.endMs ?? 0) - 2500) <= 32);
	t.same(session.endSentence(), [], "after the end: nothing");
});

t.test("hours are recognized without keeping their texts", async (t) => {
	const session = rehearse({
		durationSecondsMax: Number.POSITIVE_INFINITY,
		keepsWhole: false,
	});
	const { events } = await perform(
		session,
		speech(...Array.from({ length: 200 }, () => [1000, -1000]).flat()),
		{ chunk: () => 160_000 },
	);
	t.equal(of(events, "final").length, 200);
	t.match(of(events, "completed"), [{ text: "", words: [], audioMs: 400_000 }]);
});

import t from "tap";
import { of, perform, recognize, rehearse, speech } from "./rehearsal.js";

t.test("silence gives no words, only the end", async (t) => {
	const { events, decodes } = await perform(rehearse(), speech(-3000));
	t.same(events, [
		{
			is: "completed",
			text: "",
			confidence: 0,
			words: [],
			audioMs: 3000,
			why: "finished",
		},
	]);
	t.same(decodes, { final: 0, speculative: 0, partial: 0 });
});

t.test("no audio gives an empty text", async (t) => {
	const { events } = await perform(rehearse(), new Float32Array(0));
	t.match(events, [{ is: "completed", text: "", audioMs: 0 }]);
});

t.test("each segment is emitted once, in order, with its times", async (t) => {
	const { events } = await perform(
		rehearse(),
		speech(-1000, 1000, -1500, 2000, -1500),
	);
	t.same(
		events.map((it) => it.is),
		["speech-begin", "final", "speech-begin", "final", "completed"],
	);
	const finals = of(events, "final");
	t.match(
		finals.map((it) => it.utterance.index),
		[1, 2],
	);
	const [first, second] = finals.map((it) => it.utterance);
	t.ok(first && second);
	if (!first || !second) return;
	// pre-roll of 250 ms before, one pause after; windows of 32 ms
	t.ok(first.beginMs >= 700 && first.beginMs <= 1000, `${first.beginMs}`);
	t.ok(first.endMs >= 2000 && first.endMs <= 2300, `${first.endMs}`);
	t.ok(second.beginMs >= 3200 && second.beginMs <= 3500, `${second.beginMs}`);
	t.equal(of(events, "speech-begin")[0]?.atMs, first.beginMs);
	const completed = of(events, "completed")[0];
	t.equal(completed?.text, `${first.text} ${second.text}`);
	t.equal(completed?.confidence, 0.8);
	t.equal(completed?.audioMs, 7000);
});

t.test(
	"word times are relative to the session and stay in the segment",
	async (t) => {
		const { events } = await perform(rehearse(), speech(-1000, 1000, -1500));
		const utterance = of(events, "final")[0]?.utterance;
		t.ok(utterance);
		t.match(utterance?.words, [
			{
				text: "word",
				startMs: (utterance?.beginMs ?? 0) + 250,
				endMs: utterance?.endMs,
				kind: "normal",
				confidence: 0.7,
			},
		]);
		t.same(of(events, "completed")[0]?.words, utterance?.words);
	},
);

t.test("audio around the speech is not reported as speech", async (t) => {
	const session = rehearse({ oneText: true });
	const { events } = await perform(session, speech(-3000, 1000, -4000));
	const [begin] = of(events, "speech-begin");
	t.equal(begin?.atMs, 2758, "a quarter of a second before");
	const utterance = of(events, "final")[0]?.utterance;
	t.match(utterance, { beginMs: 2758, endMs: 4192 });
	t.match(utterance?.words, [{ startMs: 2758, endMs: 4192 }]);
});

t.test("a final decoded ahead in a pause is not decoded again", async (t) => {
	const { events, decodes } = await perform(
		rehearse(),
		speech(-500, 1000, -1500),
		{ chunk: () => 512 },
	);
	t.same(decodes, { final: 0, speculative: 1, partial: 0 });
	t.equal(of(events, "final").length, 1);
});

t.test("a short pause's speculative decode is discarded", async (t) => {
	const { events, decodes } = await perform(
		rehearse(),
		speech(-500, 1000, -400, 1000, -1500),
		{ chunk: () => 512 },
	);
	t.same(decodes, { final: 0, speculative: 2, partial: 0 });
	const [final] = of(events, "final");
	t.equal(of(events, "final").length, 1);
	t.match(final?.utterance.text, /^3\d{4} voiced|^2\d{4} voiced/);
});

t.test("nothing is decoded speculatively while more input waits", async (t) => {
	const { decodes } = await perform(
		rehearse(),
		speech(-500, 1000, -400, 1000, -1500),
		{ inputWaits: () => true },
	);
	t.same(decodes, { final: 1, speculative: 0, partial: 0 });
});

t.test("audio past the duration is dropped, which is reported", async (t) => {
	const session = rehearse({ durationSecondsMax: 2 });
	const { events } = await perform(session, speech(-500, 5000));
	t.match(of(events, "completed"), [{ why: "duration", audioMs: 2200 }]);
	t.equal(of(events, "final").length, 1, "what was recognized is reported");
	t.same(await session.accept(speech(1000)), [], "later audio is dropped");
	t.same(await session.finish(), []);
});

t.test("an encoder's padding is not past the duration", async (t) => {
	const { events } = await perform(
		rehearse({ durationSecondsMax: 2 }),
		speech(2100),
	);
	t.match(of(events, "completed"), [{ why: "finished", audioMs: 2100 }]);
});

t.test("speech without a pause is cut and nothing is lost", async (t) => {
	const { events } = await perform(rehearse(), speech(-500, 70_000, -1000));
	const finals = of(events, "final").map((it) => it.utterance);
	t.ok(finals.length >= 3);
	for (let i = 1; i < finals.length; i++)
		t.equal(finals[i]?.beginMs, finals[i - 1]?.endMs, "no gap");
	for (const it of finals) t.ok(it.endMs - it.beginMs <= 28_000);
});

t.test("one decode at a time", async (t) => {
	const session = rehearse();
	await session.accept(speech(-500, 1000, -1500, 1000, -1500));
	t.equal(session.finalsOwed, 2);
	const decode = session.nextDecode("final");
	t.ok(decode);
	t.equal(session.nextDecode("final"), undefined);
	if (!decode) return;
	session.settle(decode, "cancelled");
	t.equal(session.finalsOwed, 2, "an abandoned final is still owed");
	t.equal(session.nextDecode("final")?.segment.index, 1);
});

t.test(
	"a speculative decode may be aborted; a final one, or one that is owed, may not",
	async (t) => {
		const session = rehearse();
		await session.accept(speech(-500, 1000, -300));
		const guess = session.nextDecode("speculative");
		t.equal(guess?.urgency, "speculative");
		if (!guess) return;
		t.equal(session.mayAbandon(guess, false), false);
		t.equal(session.mayAbandon(guess, true), true, "others are owed a final");
		await session.accept(speech(-1000));
		t.equal(session.mayAbandon(guess, true), false, "the pause held");
	},
);

t.test("a speculative decode is stale when speech resumes", async (t) => {
	const session = rehearse();
	await session.accept(speech(-500, 1000, -300));
	const guess = session.nextDecode("speculative");
	if (!guess) throw new Error("no guess");
	await session.accept(speech(500));
	t.equal(session.mayAbandon(guess, false), true);
	session.settle(guess, "cancelled");
	t.equal(session.nextDecode("speculative"), undefined);
});

t.test(
	"a speculative decode that settles during finish does not complete the session",
	async (t) => {
		const session = rehearse();
		await session.accept(speech(1000, -300));
		const guess = session.nextDecode("speculative");
		t.ok(guess);
		if (!guess) return;
		const finishing = session.finish(); // the segmenter has not returned yet
		const events = session.settle(guess, recognize(guess.segment));
		events.push(...(await finishing));
		for (;;) {
			const decode = session.nextDecode("final");
			if (!decode) break;
			events.push(...session.settle(decode, recognize(decode.segment)));
		}
		t.equal(of(events, "completed").length, 1);
		t.equal(events.at(-1)?.is, "completed");
		t.match(of(events, "completed")[0]?.text, /voiced/, "the words are in it");
	},
);

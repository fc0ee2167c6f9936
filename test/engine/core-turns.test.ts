/** Whose speech is decoded next, on scripted models: finals before partials, live speech before whole requests. */
import t from "tap";
import { eventually, untilStill } from "../fixtures/eventually.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { coreOf, type Played, pcm, play } from "./scripted-core.js";

t.test("every recognition gets its turn", async (t) => {
	const order: string[] = [];
	const core = coreOf(({ language }) => {
		order.push(language);
		return madeHypothesis("x");
	});
	// three segments each
	const audio = pcm(500, -1000, 500, -1000, 500, -1000);
	const both = [
		play(core, audio, { language: "en-US" }),
		play(core, audio, { language: "ja-JP" }),
	];
	await Promise.all(both.map((it) => it.ended));
	t.same(order.toSorted(), [
		...Array(3).fill("en-US"),
		...Array(3).fill("ja-JP"),
	]);
	t.notSame(order, order.toSorted(), "not one after the other");
});

t.test("a final that is owed interrupts a speculative decode", async (t) => {
	const order: string[] = [];
	const core = coreOf(async ({ language, cancelled }) => {
		order.push(`${language} begins`);
		if (language === "ja-JP" && order.length === 1)
			while (!cancelled?.()) await new Promise(setImmediate);
		const result = cancelled?.() ? "cancelled" : madeHypothesis("x");
		order.push(`${language} ${result === "cancelled" ? "yields" : "ends"}`);
		return result;
	});
	const guess = play(core, undefined, { language: "ja-JP" });
	guess.recognition.push(pcm(-300, 1000, -300)); // a pause, and nothing more comes
	await eventually("a decode", () => order.length);
	const owed = play(core, pcm(1000));
	await owed.ended;
	guess.recognition.finish();
	await guess.ended;
	t.same(order.slice(0, 4), [
		"ja-JP begins",
		"ja-JP yields",
		"en-US begins",
		"en-US ends",
	]);
	t.match(guess.events.at(-1), { is: "completed", text: "x" });
});

t.test(
	"a cancelled recognition stops decoding and emits nothing",
	async (t) => {
		let polls = 0;
		const core = coreOf(async ({ cancelled }): Promise<"cancelled"> => {
			for (; !cancelled?.(); polls++) await new Promise(setImmediate);
			return "cancelled";
		});
		const played = play(core, pcm(1000, -1000, 1000));
		await eventually("it to be decoded", () => polls);
		const emitted = played.events.length;
		played.recognition.cancel();
		t.same(await played.ended, {});
		t.equal(played.events.length, emitted);
	},
);

t.test("audio waits while finals are owed", async (t) => {
	let open: () => void = () => {};
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	const core = coreOf(async () => {
		await gate;
		return madeHypothesis("x");
	});
	const parts = Array.from({ length: 20 }, () => [500, -1000]).flat();
	const audio = pcm(...parts);
	const played = play(core, audio);
	let turnsStill = 0;
	for (let used = -1; turnsStill < 1000; turnsStill++) {
		if (used !== played.usedBytes) turnsStill = 0;
		used = played.usedBytes;
		await new Promise((turn) => setImmediate(turn)); // no step inside waits for longer than that
	}
	t.ok(played.usedBytes < audio.length / 2, `${played.usedBytes} bytes used`);
	open();
	await played.ended;
	t.equal(played.usedBytes, audio.length);
	t.equal(played.events.filter((it) => it.is === "final").length, 20);
});

t.test("partials wait for finals that are owed", async (t) => {
	const order: string[] = [];
	const core = coreOf(async ({ language, beam, punctuation, cancelled }) => {
		const kind = beam === 2 ? "partial" : "final";
		if (kind === "partial") t.equal(punctuation, false);
		order.push(`${language} ${kind}`);
		if (kind === "partial")
			while (!cancelled?.()) await new Promise(setImmediate);
		return cancelled?.() ? "cancelled" : madeHypothesis("x");
	});
	const live = play(core, undefined, {
		language: "ja-JP",
		partials: true,
		streamed: true,
	});
	live.recognition.push(pcm(-300, 2000));
	await eventually("a decode", () => order.length);
	const owed = play(core, pcm(1000));
	await owed.ended;
	live.recognition.finish();
	await live.ended;
	t.same(order.slice(0, 2), ["ja-JP partial", "en-US final"]);
	t.equal(order.at(-1), "ja-JP final");
	t.match(live.events.at(-1), { is: "completed", text: "x" });
});

for (const [what, meanwhile] of [
	["more text of others", pcm(1000)],
	["what others may have said at a pause", pcm(-400)],
] as const)
	t.test(`the first text of a sentence goes before ${what}`, async (t) => {
		const order: string[] = [];
		let gate: Promise<void> | undefined;
		let open: () => void = () => {};
		const core = coreOf(async ({ language, beam }) => {
			order.push(`${language} ${beam === 2 ? "partial" : "final"}`);
			await gate;
			return madeHypothesis("the cat sat on a mat");
		});
		const live = { partials: true, streamed: true };
		const isShown = ({ events }: Played) =>
			events.some((it) => it.is === "partial");
		const talkers = [1, 2].map(() => play(core, undefined, live));
		for (const one of talkers) {
			const decodes = order.length;
			one.recognition.push(pcm(-300, 700));
			await eventually("a decode", () => order.length > decodes);
			one.recognition.push(pcm(300));
			await eventually("a partial", () => isShown(one));
		}
		const other = play(core, undefined, { ...live, language: "ja-JP" });
		other.recognition.push(pcm(-300, 1000, -1500));
		await eventually("the other's sentence", () =>
			other.events.some((it) => it.is === "final"),
		);
		gate = new Promise((resolve) => {
			open = resolve;
		});
		const before = order.length;
		talkers[0]?.recognition.push(pcm(1000));
		await eventually("a decode that is held", () => order.length > before);
		talkers[1]?.recognition.push(meanwhile);
		other.recognition.push(pcm(1000));
		for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
		open();
		await eventually("a second decode", () => order.length > before + 1);
		t.same(order.slice(before, before + 2), ["en-US partial", "ja-JP partial"]);
		for (const { recognition, ended } of [...talkers, other]) {
			recognition.finish();
			await ended;
		}
	});

t.test("live speech goes first, but not for ever", async (t) => {
	const order: string[] = [];
	let open: () => void = () => {};
	const gate = new Promise<void>((resolve) => {
		open = resolve;
	});
	const core = coreOf(async ({ language }) => {
		order.push(language);
		await gate;
		return madeHypothesis("x");
	});
	const audio = pcm(...Array.from({ length: 12 }, () => [500, -1000]).flat());
	const whole = play(core, audio, { language: "en-US" });
	const live = play(core, audio, { language: "ja-JP", streamed: true });
	await eventually("a decode", () => order.length);
	open();
	await Promise.all([whole.ended, live.ended]);
	const lastLive = order.lastIndexOf("ja-JP");
	const together = order.slice(1, lastLive);
	const others = together.filter((it) => it === "en-US").length;
	t.ok(others >= 2, `${others} of a whole request among the live ones`);
	t.ok(others <= together.length / 2, order.join(" "));
});

t.test(
	"a decode is a sign of life for all that are owed a final, and for nobody else",
	async (t) => {
		let open: () => void = () => {};
		const gate = new Promise<void>((resolve) => {
			open = resolve;
		});
		const seen: number[][] = [];
		const core = coreOf(async ({ cancelled }) => {
			await gate;
			const before = all.map((it) => it.signsOfLife);
			cancelled?.();
			seen.push(all.map((it, i) => it.signsOfLife - (before[i] ?? 0)));
			return madeHypothesis("x");
		});
		const [atWork, waiting] = [play(core, pcm(1000)), play(core, pcm(1000))];
		const other = play(core, undefined); // what it waits for is not the recognizer
		const all = [atWork, waiting, other];
		await untilStill(() => atWork.usedBytes + waiting.usedBytes);
		open();
		await Promise.all([atWork.ended, waiting.ended]);
		t.same(seen, [
			[1, 1, 0],
			[0, 1, 0],
		]);
		other.recognition.cancel();
		await other.ended;
	},
);

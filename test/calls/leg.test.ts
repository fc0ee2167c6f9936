/** One leg on a clock that the test sets: where in the call its words stand. */
import t from "tap";
import { Leg } from "../../runtime/calls/leg.js";
import { CodedError } from "../../runtime/errors.js";
import { AudioRoom } from "../../runtime/session/audio-room.js";
import type { Utterance } from "../../runtime/session/events.js";
import { FakeLane, type FakeRecognition } from "../api/fake-lane.js";
import { options } from "../engine/fake-lane.js";
import { eventually, until } from "../fixtures/eventually.js";
import { madeUtterance } from "../session/made-utterances.js";
import { final, loud, silence } from "./running-calls.js";

const pieceMs = 20;
const samplesPerMs = 8;
const gapMs = 10_000;

type LegParts = ConstructorParameters<typeof Leg>[0];

/** At the beginning of its call, in a format of telephones, and heard by nobody. */
function legWith(parts: Pick<LegParts, "lane"> & Partial<LegParts>): Leg {
	return new Leg({
		caller: "token:pbx",
		options: () => options,
		format: { codec: "mulaw", rateHz: 8000 },
		room: new AudioRoom(64 * 1024 * 1024),
		silentSeconds: 60,
		nowMs: () => 0,
		onUtterance: () => {},
		onSpeech: () => {},
		onRoom: () => {},
		...parts,
	});
}

/** One second of sound, ten without a frame, one more second of sound. @returns `recognized` as the leg emits it. */
async function afterHold(recognized: Partial<Utterance>): Promise<Utterance> {
	let nowMs = 0;
	let final: Utterance | undefined;
	const lane = new FakeLane();
	const leg = legWith({
		lane,
		nowMs: () => nowMs,
		onUtterance: (_, utterance) => {
			final = utterance;
		},
	});
	const speak = () => {
		for (let ms = 0; ms < 1000; ms += pieceMs) {
			nowMs += pieceMs;
			leg.accept(loud(pieceMs * samplesPerMs));
		}
	};
	speak();
	nowMs += gapMs;
	speak();
	const recognition = await eventually("the recognition", () => lane.opened[0]);
	const utterance = {
		index: 1,
		text: "Hello.",
		confidence: 0.9,
		words: [],
		beginMs: 0,
		endMs: 0,
		...recognized,
	};
	recognition.emit({ is: "final", utterance, audioMs: utterance.endMs });
	const placed = await eventually("the final", () => final);
	leg.cancel();
	return placed;
}

function word(startMs: number, endMs: number) {
	const kind = "normal" as const;
	return { text: "hello", kind, confidence: 0.9, startMs, endMs };
}

t.test("a sentence that follows an interruption begins after it", async (t) => {
	const placed = await afterHold({
		beginMs: 800,
		endMs: 2000, // its lead is from before
		words: [word(800, 1300), word(1300, 1900)],
	});
	t.match(placed, {
		beginMs: gapMs + 800,
		endMs: gapMs + 2000,
		words: [
			{ startMs: gapMs + 800, endMs: gapMs + 1300 },
			{ startMs: gapMs + 1300, endMs: gapMs + 1900 },
		],
	});
});

t.test("words after an interruption inside a sentence", async (t) => {
	const placed = await afterHold({
		beginMs: 100,
		endMs: 2000,
		words: [word(350, 900), word(1100, 1900)],
	});
	t.match(placed, {
		beginMs: 100,
		endMs: gapMs + 2000,
		words: [
			{ startMs: 350, endMs: 900 },
			{ startMs: gapMs + 1100, endMs: gapMs + 1900 },
		],
	});
});

t.test("an utterance shorter than a lead", async (t) => {
	const placed = await afterHold({ beginMs: 300, endMs: 400 });
	t.match(placed, { beginMs: 300, endMs: 400 });
});

t.test(
	"a sentence in which no audio comes any more gets its text, and the slot is given back",
	async (t) => {
		let nowMs = 0;
		const texts: string[] = [];
		const lane = new FakeLane();
		const leg = legWith({
			lane,
			silentSeconds: 10,
			nowMs: () => nowMs,
			onUtterance: (_, { index, text }) => texts.push(`${index} ${text}`),
		});
		lane.behaviour = { holdResult: true };
		leg.accept(loud(8000));
		const held = await eventually("the recognition", () => lane.opened[0]);
		held.emit({ is: "speech-begin", index: 1, atMs: 0 });
		nowMs += 11_000; // on hold, nothing is sent after that second
		await until(() => held.finished);
		held.emit(final("Please hold.", 0));
		held.release();
		await until(() => lane.held === 0);
		leg.accept(loud(8000));
		const again = await eventually("another", () => lane.opened[1]);
		again.emit({ is: "speech-begin", index: 1, atMs: 0 });
		again.emit(final("Here I am.", 0));
		await until(() => texts.length === 2);
		t.same(texts, ["1 Please hold.", "2 Here I am."]);
		leg.cancel();
	},
);

t.test("speech that is too quiet to be sound is not ended", async (t) => {
	let nowMs = 0;
	let looks = 0;
	const lane = new FakeLane();
	const leg = legWith({
		lane,
		silentSeconds: 10,
		nowMs: () => {
			looks++;
			return nowMs;
		},
	});
	leg.accept(loud(8000));
	const recognition = await eventually("it", () => lane.opened[0]);
	recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
	for (let pieces = 0; pieces < 4; pieces++) {
		nowMs += 5000;
		leg.accept(silence(8000));
		const before = looks;
		await until(() => looks > before);
	}
	t.notOk(recognition.finished);
	leg.cancel();
});

t.test(
	"a sentence whose audio came in one long piece is not cut",
	async (t) => {
		let nowMs = 0;
		let looks = 0;
		const lane = new FakeLane();
		const leg = legWith({
			lane,
			silentSeconds: 10,
			nowMs: () => {
				looks++;
				return nowMs;
			},
		});
		leg.accept(loud(15_000 * samplesPerMs));
		const recognition = await eventually("it", () => lane.opened[0]);
		recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await until(() => !leg.mustWait);
		nowMs = 24_000; // the next piece would come at 15 s
		const before = looks;
		await until(() => looks > before + 1);
		t.notOk(recognition.finished);
		nowMs = 25_000;
		await until(() => recognition.finished);
		leg.cancel();
	},
);

t.test(
	"a sentence whose client was told to wait is not cut: no audio can come",
	async (t) => {
		let nowMs = 0;
		let looks = 0;
		const lane = new FakeLane();
		const behaviour: { stallTurns?: number } = {};
		lane.behaviour = behaviour;
		const leg = legWith({
			lane,
			silentSeconds: 10,
			nowMs: () => {
				looks++;
				return nowMs;
			},
		});
		const speak = (seconds: number) => {
			for (let second = 0; second < seconds; second++)
				leg.accept(loud(1000 * samplesPerMs));
		};
		const look = async () => {
			const before = looks;
			await until(() => looks > before + 1);
		};
		speak(1);
		const recognition = await eventually("it", () => lane.opened[0]);
		recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
		speak(29); // a recording, which is sent faster than it was spoken
		behaviour.stallTurns = -1;
		speak(4);
		t.ok(leg.mustWait);
		nowMs = 15_000;
		await look();
		t.ok(leg.mustWait);
		const received = recognition.bytes;
		behaviour.stallTurns = 1;
		recognition.drain();
		t.ok(recognition.bytes > received);
		await until(() => !leg.mustWait);
		t.notOk(recognition.finished);
		speak(1);
		await look();
		t.notOk(recognition.finished);
		leg.cancel();
	},
);

t.test("a sentence whose audio is read late is not cut", async (t) => {
	let nowMs = 0;
	let isBehind = false;
	const lane = new FakeLane();
	const leg = legWith({
		lane,
		silentSeconds: 10,
		nowMs: () => {
			if (isBehind) queueMicrotask(() => leg.accept(loud(8000))); // timers are first where a process stood still
			isBehind = false;
			return nowMs;
		},
	});
	leg.accept(loud(8000));
	const recognition = await eventually("it", () => lane.opened[0]);
	recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
	nowMs = 12_000;
	isBehind = true;
	await until(() => !isBehind);
	await until(() => recognition.bytes > 8000 || lane.opened.length > 1);
	t.notOk(recognition.finished);
	leg.cancel();
});

t.test("audio for which there was never a slot is counted", async (t) => {
	const lane = new FakeLane();
	lane.behaviour = { holdSlot: true };
	const leg = legWith({ lane });
	leg.accept(loud(4 * 8000)); // far ahead of speech: what follows has to wait
	leg.accept(loud(2 * 1024 * 1024));
	leg.accept(loud(8000)); // and there is no room for this
	leg.cancel();
	t.equal(leg.lostSeconds, 5);
});

t.test("audio that a slow engine did not take is counted once", async (t) => {
	let nowMs = 0;
	const lane = new FakeLane();
	lane.behaviour = { stallTurns: -1, holdResult: true };
	const leg = legWith({ lane, nowMs: () => nowMs });
	for (let ms = 0; ms < 2000; ms += pieceMs) {
		nowMs += pieceMs;
		leg.accept(loud(pieceMs * samplesPerMs));
	}
	const slow = await eventually("the recognition", () => lane.opened[0]);
	const finished = leg.finish();
	leg.cancel();
	await finished;
	t.equal(leg.lostSeconds, 2 - slow.bytes / 8000);
});

t.test(
	"speech that a slow engine took and did not recognize in time is counted",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { holdResult: true };
		let hasBegun = false;
		const leg = legWith({
			lane,
			onSpeech: () => {
				hasBegun = true;
			},
		});
		leg.accept(loud(2 * 8000));
		const slow = await eventually("the recognition", () => lane.opened[0]);
		slow.emit({ is: "speech-begin", index: 1, atMs: 0 });
		await eventually("the speech", () => hasBegun || undefined);
		const finished = leg.finish();
		leg.cancel(); // as when its last final takes too long
		await finished;
		t.equal(leg.lostSeconds, 2);
	},
);

for (const [how, end] of [
	["broke off", (it: FakeRecognition) => it.fail(new CodedError("100003"))],
	["was cancelled", () => {}],
] as const)
	t.test(`speech after which a silent leg's recognition ${how}`, async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { holdResult: true };
		let nowMs = 0;
		let spoken = 0;
		let finals = 0;
		const leg = legWith({
			lane,
			silentSeconds: 1,
			nowMs: () => nowMs,
			onSpeech: () => spoken++,
			onUtterance: () => finals++,
		});
		const accept = (ofMs: (ms: number) => Uint8Array) => {
			for (let ms = 0; ms < 2000; ms += pieceMs) {
				nowMs += pieceMs;
				leg.accept(ofMs(pieceMs * samplesPerMs));
			}
		};
		accept(loud);
		const late = await eventually("the recognition", () => lane.opened[0]);
		late.unusedBytes = late.bytes;
		accept(silence);
		late.unusedBytes = late.bytes; // it is behind
		await eventually("the end of the silence", () => late.finished);
		late.unusedBytes = 0;
		const utterance = madeUtterance("Yes.", { beginMs: 0, endMs: 900 });
		late.emit({ is: "final", utterance, audioMs: 900 });
		late.emit({ is: "speech-begin", index: 2, atMs: 1100 });
		await eventually("the speech", () => finals === 1 && spoken === 1);
		end(late);
		const finished = leg.finish();
		if (how === "was cancelled") leg.cancel(); // as when its last final takes too long
		await finished;
		t.equal(leg.lostSeconds, 3.1);
	});

t.test(
	"speech that was taken in vain is counted where silence followed it",
	async (t) => {
		const lane = new FakeLane();
		lane.behaviour = { holdResult: true };
		let nowMs = 0;
		const leg = legWith({ lane, silentSeconds: 1, nowMs: () => nowMs });
		const accept = (bytes: Uint8Array) => {
			nowMs += pieceMs;
			leg.accept(bytes);
		};
		for (let ms = 0; ms < 2000; ms += pieceMs)
			accept(loud(pieceMs * samplesPerMs));
		const slow = await eventually("the recognition", () => lane.opened[0]);
		for (let ms = 0; ms < 2000; ms += pieceMs) {
			accept(silence(pieceMs * samplesPerMs));
			slow.unusedBytes = slow.bytes; // none of it was processed
		}
		await eventually("the end of the silence", () => slow.finished);
		slow.unusedBytes = slow.bytes;
		const finished = leg.finish();
		leg.cancel();
		leg.cancel();
		await finished;
		t.equal(leg.lostSeconds, 4);
	},
);

/** A leg without a slot until `lane.admit`, to which audio comes as it is spoken. */
function waitingLeg(parts: Partial<LegParts> = {}) {
	let nowMs = 0;
	const lane = new FakeLane();
	lane.behaviour = { holdSlot: true };
	const leg = legWith({ lane, nowMs: () => nowMs, ...parts });
	return {
		leg,
		lane,
		speak: (seconds: number, piece: Uint8Array) => {
			for (let ms = 0; ms < seconds * 1000; ms += pieceMs) {
				nowMs += pieceMs;
				leg.accept(piece);
			}
		},
		/** @returns bytes that were recognized when it is over. */
		recognized: async () => {
			await until(() => lane.waiting === 1);
			lane.behaviour = {};
			lane.admit();
			await leg.finish();
			return lane.last.bytes;
		},
	};
}

t.test("frames of a sample are recognized in pieces of 20 ms", async (t) => {
	const lane = new FakeLane();
	let spoken = 0;
	const leg = legWith({ lane, onSpeech: () => spoken++ });
	leg.accept(loud(8000));
	const { orders, emit } = await eventually("it", () => {
		const it = lane.opened[0];
		return it && { orders: it.orders, emit: it.emit.bind(it) };
	});
	await until(() => orders.length === 1);
	emit({ is: "speech-begin", index: 1, atMs: 0 });
	await until(() => spoken === 1);
	for (const sample of loud(500)) leg.accept(Uint8Array.of(sample));
	await leg.finish();
	t.same(orders, [
		"8000 bytes",
		...["160 bytes", "160 bytes", "160 bytes", "20 bytes"],
		"finish",
	]);
});

t.test(
	"a leg that waits keeps no more bytes of wide audio than 40 s of 16 kHz",
	async (t) => {
		const rateHz = 384_000;
		const { leg, speak, recognized } = waitingLeg({
			format: { codec: "s16", rateHz },
		});
		const piece = new Uint8Array((rateHz / 1000) * pieceMs * 2).fill(0x30);
		speak(3, piece);
		const bytes = await recognized();
		t.ok(bytes <= 1_280_000 + piece.length, `kept ${bytes} bytes`);
		t.equal(leg.lostSeconds + bytes / 2 / rateHz, 3, "the rest is counted");
	},
);

t.test(
	"legs that wait share their room: who keeps most loses the oldest",
	async (t) => {
		const roomBytes = 256 * 1024;
		const room = new AudioRoom(roomBytes);
		const [long, short] = [waitingLeg({ room }), waitingLeg({ room })];
		const piece = loud(pieceMs * samplesPerMs);
		short.speak(2, piece);
		long.speak(30, piece);
		const longBytes = await long.recognized();
		// an array costs more than the 160 bytes of its piece
		t.ok(longBytes > 8000 && longBytes < roomBytes / 2, `kept ${longBytes}`);
		t.equal(long.leg.lostSeconds + longBytes / 8000, 30);
		t.equal(await short.recognized(), 2 * 8000);
		t.equal(short.leg.lostSeconds, 0);

		const next = waitingLeg({ room });
		next.speak(12, piece);
		t.equal(await next.recognized(), 12 * 8000, "they have given it back");
		t.equal(next.leg.lostSeconds, 0);
	},
);

/** Of a sentence of 20 s of which 13 s are kept, before it has its final. */
async function longSentence() {
	const rateHz = 48_000;
	let spoken = 0;
	let finals = 0;
	const it = waitingLeg({
		format: { codec: "s16", rateHz },
		onSpeech: () => spoken++,
		onUtterance: () => finals++,
	});
	const { lane, speak } = it;
	lane.behaviour = {};
	const piece = new Uint8Array((rateHz / 1000) * pieceMs * 2).fill(0x30);
	speak(1, piece);
	const recognition = await eventually("it", () => lane.opened[0]);
	recognition.emit({ is: "speech-begin", index: 1, atMs: 0 });
	await until(() => spoken === 1);
	speak(19, piece);
	return { ...it, recognition, hasFinal: () => until(() => finals === 1) };
}

t.test(
	"a recognized sentence that is longer than what is kept is not lost",
	async (t) => {
		const { leg, recognition, hasFinal } = await longSentence();
		recognition.emit(final("Long.", 19_900));
		await hasFinal();
		await leg.finish();
		t.equal(leg.lostSeconds, 0);
	},
);

t.test(
	"of a sentence longer than what is kept, whose engine died, the beginning is lost",
	async (t) => {
		const { leg, lane, recognition, hasFinal } = await longSentence();
		recognition.fail(new CodedError("100003"));
		const next = await eventually("the next", () => lane.opened[1]);
		await until(() => next.bytes > 0);
		next.emit(final("Long.", 13_000));
		await hasFinal();
		await leg.finish();
		t.ok(leg.lostSeconds > 6.6 && leg.lostSeconds < 6.7);
	},
);

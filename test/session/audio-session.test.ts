/** What clients say of their raw audio, and recognitions of two channels apart. */
import t from "tap";
import { CodedError } from "../../runtime/errors.js";
import { openAudio } from "../../runtime/session/audio-session.js";
import {
	containerAudio,
	formatOf,
	rawAudio,
	secondsOf,
} from "../../runtime/session/audio-source.js";
import type { SessionEvent } from "../../runtime/session/events.js";
import {
	type Lane,
	localDevice,
	type Recognition,
} from "../../runtime/session/lane-port.js";
import {
	defaultSwitches,
	type RecognitionOptions,
} from "../../runtime/session/options.js";
import { refusal } from "../audio/listen.js";

const options = {
	language: "en-US",
	gain: 1,
	durationSecondsMax: 60,
	maxSentenceSilenceMs: 800,
	...defaultSwitches,
	partials: false,
} as const;

class NotingRecognition implements Recognition {
	readonly noted: string[] = [];
	readonly events: AsyncIterable<SessionEvent> = noEvents();
	#hasRoom = true;

	constructor(readonly options: RecognitionOptions) {}

	get unusedBytes(): number {
		return this.noted.join("").replace("|", "").length;
	}

	hold(): void {
		this.#hasRoom = false;
	}

	write(bytes: Uint8Array): boolean {
		this.noted.push(Buffer.from(bytes).toString("latin1"));
		return this.#hasRoom;
	}

	onDrain(): void {}

	endSentence(): void {}

	finish(): void {
		this.noted.push("|");
	}

	cancel(): void {
		this.noted.push("cancelled");
	}
}

async function* noEvents(): AsyncGenerator<SessionEvent> {}

class NotingLane implements Lane {
	readonly opened: NotingRecognition[] = [];
	readonly #slots: number;

	constructor(slots = 2) {
		this.#slots = slots;
	}

	async open(given: RecognitionOptions): Promise<Recognition> {
		if (this.opened.length === this.#slots) throw new CodedError("100004");
		const recognition = new NotingRecognition(given);
		this.opened.push(recognition);
		return recognition;
	}
}

t.test("raw audio is described by encoding, rate, width and channels", (t) => {
	t.same(formatOf(rawAudio({ rate: 24000 })), {
		format: "pcm_s16le",
		sampleRateHz: 24000,
	});
	t.same(formatOf(rawAudio({ rate: 4000, width: 1, channels: 2 })), {
		format: "pcm_u8",
		sampleRateHz: 4000,
		rawChannels: 2,
	});
	const apart = rawAudio({
		rate: 8000,
		encoding: "alaw",
		channels: 2,
		apart: true,
	});
	t.same(formatOf(apart), { format: "alaw", sampleRateHz: 8000 });
	t.equal(secondsOf(apart, 32000), 2);
	t.match(formatOf(containerAudio), { format: "auto" });
	t.end();
});

t.test("what is wrong with raw audio is named", (t) => {
	const wrong = [
		[{ rate: 3999 }, "rate must be an integer from 4000 to 384000, got 3999"],
		[
			{ rate: "16000" },
			'rate must be an integer from 4000 to 384000, got "16000"',
		],
		[
			{ rate: 8000, encoding: "opus" },
			/^encoding must be one of pcm_s16le, mulaw, alaw/,
		],
		[{ rate: 8000, width: 3 }, /^width must be one of 1, 2, 4/],
		[{ rate: 8000, encoding: "mulaw", width: 2 }, /^width must be one of 1 /],
		[{ rate: 8000, channels: 0 }, /^channels must be an integer from 1 to 8/],
		[{ rate: 8000, channels: 3, apart: true }, /^channels must .* to 2/],
	] as const;
	for (const [given, message] of wrong)
		t.throws(() => rawAudio(given), { status: "200002", message });
	t.end();
});

t.test("two channels are two recognitions of their own bytes", async (t) => {
	const lane = new NotingLane();
	const source = rawAudio({
		rate: 8000,
		encoding: "mulaw",
		channels: 2,
		apart: true,
	});
	const session = await openAudio(lane, source, options, localDevice);
	t.equal(session.channels.length, 2);
	for (const piece of ["aba", "b", "", "abab"])
		session.write(Buffer.from(piece, "latin1"));
	session.finish();
	t.same(
		lane.opened.map((it) => it.noted.join("")),
		["aaaa|", "bbbb|"],
	);
	t.equal(session.unusedBytes, 8);
	lane.opened[1]?.hold();
	t.equal(session.write(Buffer.from("ab")), false, "one of them has no room");
});

t.test("a channel without a slot gives the other's back", async (t) => {
	const lane = new NotingLane(1);
	const source = rawAudio({ rate: 8000, channels: 2, apart: true });
	const { status } = await refusal(() =>
		openAudio(lane, source, options, localDevice),
	);
	t.equal(status, "100004");
	t.same(lane.opened[0]?.noted, ["cancelled"]);
});

t.test(
	"a container, and channels that are averaged, are one recognition",
	async (t) => {
		for (const source of [
			containerAudio,
			rawAudio({ rate: 16000, channels: 2 }),
		]) {
			const lane = new NotingLane();
			const session = await openAudio(lane, source, options, localDevice);
			session.write(Buffer.from("abc"));
			t.same(
				lane.opened.map((it) => it.noted),
				[["abc"]],
			);
			t.match(lane.opened[0]?.options, formatOf(source));
		}
	},
);

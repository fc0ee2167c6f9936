/** What clients say of their raw audio. */
import t from "tap";
import {
	formatOf,
	rawAudio,
	secondsOf,
} from "../../runtime/session/audio-source.js";

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

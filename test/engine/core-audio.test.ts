/** The audio that an engine accepts, on scripted models: its formats, its duration, and where a sentence ends in it. */
import t from "tap";
import { oggHead } from "../audio/container-heads.js";
import { eventually } from "../fixtures/eventually.js";
import { madeHypothesis } from "../session/made-utterances.js";
import { speech } from "../session/rehearsal.js";
import { coreOf, pcm, play } from "./scripted-core.js";

t.test("no audio is an error, not an empty text", async (t) => {
	const { error } = await play(
		coreOf(() => madeHypothesis("")),
		new Uint8Array(0),
	).ended;
	t.match(error, { status: "200007" });
});

t.test("an error of the decoder is passed on unchanged", async (t) => {
	const ogg = Buffer.concat([Buffer.from("OggS"), Buffer.alloc(2000)]);
	const { error } = await play(
		coreOf(() => madeHypothesis("")),
		ogg,
		{ format: "opus" },
	).ended;
	t.match(error, { status: "200006" });
});

t.test(
	"audio past the duration is refused, whatever was recognized",
	async (t) => {
		const core = coreOf(() => madeHypothesis("long"));
		const played = play(core, pcm(5000), { durationSecondsMax: 2 });
		const { error } = await played.ended;
		t.match(error, { status: "200005", message: /at most 2 seconds/ });
		const fits = play(core, pcm(2000), { durationSecondsMax: 2 });
		t.same(await fits.ended, {});
	},
);

t.test(
	"audio past the duration completes the recognition where requested",
	async (t) => {
		const core = coreOf(() => madeHypothesis("long"));
		const audio = pcm(5000);
		const played = play(core, audio, {
			durationSecondsMax: 2,
			completeAtDuration: true,
		});
		await played.ended;
		t.match(played.events.at(-1), { is: "completed", why: "duration" });
		t.equal(played.usedBytes, audio.length, "the sender does not wait");
	},
);

t.test(
	"a sentence ends between the bytes where this was requested",
	async (t) => {
		const core = coreOf(() => madeHypothesis("x"));
		for (const packet of [7, 999, 32_000, 1_000_000]) {
			const played = play(core, undefined, { streamed: true });
			const [before, after] = [pcm(-500, 2000), pcm(2000, -1500)];
			for (const audio of [before, after]) {
				for (let at = 0; at < audio.length; at += packet)
					played.recognition.push(audio.subarray(at, at + packet));
				if (audio === before) played.recognition.endSentence();
			}
			played.recognition.finish();
			await played.ended;
			const finals = played.events.filter((it) => it.is === "final");
			t.equal(finals.length, 2);
			t.equal(played.usedBytes, before.length + after.length);
			const [first] = finals;
			const endMs = first?.is === "final" ? first.utterance.endMs : 0;
			t.ok(endMs > 2500 - 33 && endMs <= 2500, `${endMs}`);
		}
	},
);

t.test("a sentence in a container ends although nothing follows", async (t) => {
	/** Decodes each piece to a second of speech, a moment after it has come; the first takes longer than is waited for others. */
	let startMs = 700;
	async function* decodeBytes(bytes: AsyncIterable<Uint8Array>) {
		for await (const _ of bytes) {
			await new Promise((resolve) => setTimeout(resolve, startMs));
			startMs = 20;
			yield speech(1000);
		}
	}
	const recognize = () => madeHypothesis("x");
	const core = coreOf(recognize, [], {}, { decodeBytes });
	const played = play(core, undefined, { format: "opus", streamed: true });
	const finals = () =>
		played.events.flatMap((it) => (it.is === "final" ? [it.utterance] : []));
	for (const sentences of [1, 2]) {
		for (let piece = 0; piece < 3; piece++)
			played.recognition.push(oggHead("OpusHead"));
		played.recognition.endSentence();
		await eventually("a final", () => finals().length === sentences);
	}
	played.recognition.finish();
	t.same(await played.ended, {});
	const seconds = finals().map((it) => Math.round(it.endMs / 1000));
	t.same(seconds, [3, 6]);
});

t.test("mp4 is refused for live speech", async (t) => {
	const mp4 = Buffer.concat([
		Buffer.from([0, 0, 0, 32]),
		Buffer.from("ftypisom"),
		Buffer.alloc(2000),
	]);
	const { error } = await play(
		coreOf(() => madeHypothesis("")),
		mp4,
		{ format: "wav", streamed: true },
	).ended;
	t.match(error, { status: "200006", message: /over HTTP/ });
});

t.test("an odd number of bytes and a header in the middle", async (t) => {
	const core = coreOf(() => madeHypothesis("x"));
	const header = Buffer.concat([
		Buffer.from("RIFF"),
		Buffer.from([36, 0, 0, 0]),
		Buffer.from("WAVEfmt "),
		Buffer.alloc(24),
	]);
	const audio = Buffer.concat([
		pcm(-300, 1000),
		header,
		pcm(1000, -1500),
		Buffer.from([1]),
	]);
	const played = play(core, audio, { streamed: true });
	t.same(await played.ended, {});
	t.match(played.events.at(-1), { is: "completed", text: "x" });
	t.equal(played.usedBytes, audio.length);
});

t.test("silence for the whole duration is an empty text", async (t) => {
	const core = coreOf(() => madeHypothesis("never"));
	const played = play(core, pcm(-5000), {
		durationSecondsMax: 3,
		completeAtDuration: true,
		streamed: true,
		suffixSilenceMs: 0,
		partials: true,
	});
	t.same(await played.ended, {});
	t.match(played.events, [{ is: "completed", text: "", why: "duration" }]);
});

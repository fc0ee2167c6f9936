/** The intake: raw PCM, labels against content, limits. */
import { execFile } from "node:child_process";
import { join as joinPath } from "node:path";
import { promisify } from "node:util";
import t from "tap";
import type { AudioFormat } from "../../runtime/audio/container.js";
import { holds } from "../fuzz/holds.js";
import { containerHeads, oggHead, webmHead } from "./container-heads.js";
import { cutsMakeNoDifference, waysCount } from "./cuts.property.js";
import { listen, openIntake, refusal } from "./listen.js";
import { join, seededRandom, tone, whiteNoise } from "./signals.js";
import { s16Bytes, wavBytes } from "./wav-bytes.js";

const run = promisify(execFile);
const reportLoaded = joinPath(
	import.meta.dirname,
	"fixtures/loaded-resampler.js",
);
const second = tone({ hz: 300, rateHz: 16000, seconds: 1, amplitude: 0.5 });

t.test("raw PCM at 16 kHz is unchanged, bit for bit", async (t) => {
	const random = seededRandom(7);
	const bytes = s16Bytes(whiteNoise(16000, 0.2, random));
	const samples = await listen([bytes], {});
	t.ok(Buffer.from(s16Bytes(samples)).equals(bytes));
});

t.test("16 kHz needs no resampler, and loads none", async (t) => {
	const loaded = async (rateHz: number) => {
		const { stdout } = await run(process.execPath, [reportLoaded, `${rateHz}`]);
		return stdout.trim();
	};
	t.equal(await loaded(16_000), "", "16 MB less");
	t.match(await loaded(8000), /libsamplerate/);
});

t.test("audio in pieces", async (t) => {
	const tried = await holds(t, cutsMakeNoDifference(), 8 * waysCount);
	t.equal(tried.size, waysCount, "every way was tried");
});

t.test("raw PCM at 8 kHz doubles its samples", async (t) => {
	const bytes = s16Bytes(second.subarray(0, 8000));
	t.equal((await listen([bytes], { sampleRateHz: 8000 })).length, 16000);
});

t.test("an odd last byte is dropped", async (t) => {
	t.equal((await listen([new Uint8Array(2001)], {})).length, 1000);
});

t.test("empty audio is reported as empty", async (t) => {
	for (const pieces of [[], [new Uint8Array(0)], [new Uint8Array(1)]])
		t.match(await refusal(() => listen(pieces, {})), { status: "200007" });
});

t.test("audio is refused as soon as it exceeds its limit", async (t) => {
	const intake = openIntake({ durationSecondsMax: 60 });
	const bytes = s16Bytes(second);
	for (let i = 0; i < 60; i++) await intake.accept(bytes);
	const refused = await refusal(() => intake.accept(bytes));
	t.match(refused, {
		status: "200005",
		message: "audio must be at most 60 seconds long (duration), this is longer",
	});
	intake.close();
});

t.test("audio of exactly the maximum length is accepted", async (t) => {
	const bytes = s16Bytes(second);
	const samples = await listen([bytes, bytes], { durationSecondsMax: 2 });
	t.equal(samples.length, 32000);
});

t.test("the limit counts decoded seconds, whatever the rate", async (t) => {
	const data = new Uint8Array(4000 * 2 * 3); // 3 s at 4 kHz
	const bytes = wavBytes({
		tag: 1,
		channels: 1,
		sampleRateHz: 4000,
		bits: 16,
		data,
	});
	const refused = await refusal(() =>
		listen([bytes], { format: "wav", durationSecondsMax: 2 }),
	);
	t.equal(refused.status, "200005");
});

t.test("a WAV is recognized under any label", async (t) => {
	const bytes = wavBytes({
		tag: 1,
		channels: 1,
		sampleRateHz: 16000,
		bits: 16,
		data: s16Bytes(second),
	});
	for (const format of ["pcm", "wav", "mp3", "m4a", "flac"] as const)
		t.equal((await listen([bytes], { format })).length, 16000, format);
});

t.test("a container's header takes precedence over the label", async (t) => {
	for (const [container, head] of containerHeads)
		for (const format of ["pcm", "wav", "mp3", "3gp"] as const) {
			const intake = openIntake({ format });
			await intake.accept(new Uint8Array(head));
			t.equal(intake.needsDecoder, container, `${container} sent as ${format}`);
			t.ok(Buffer.from(intake.takeHeld()).equals(head), "nothing is lost");
			intake.close();
		}
});

function join8(a: Uint8Array, b: Uint8Array): Uint8Array {
	return new Uint8Array(Buffer.concat([a, b]));
}

t.test("bytes that do not match format are refused", async (t) => {
	const text = Buffer.from("Dear sir, this is a letter. ".repeat(2000));
	const formats: AudioFormat[] = [
		"wav",
		"opus",
		"mp3",
		"aac",
		"amr",
		"m4a",
		"mp4",
		"3gp",
		"flac",
	];
	for (const format of formats) {
		const refused = await refusal(() => listen([text], { format }));
		t.equal(refused.status, "200006", format);
		t.match(refused.message, `the bytes are not ${format}`);
	}
});

t.test("unsupported containers are refused by name", async (t) => {
	const foreign: [Uint8Array, RegExp][] = [
		[webmHead("matroska"), /Matroska other than WebM/],
		[oggHead("Speex   "), /Ogg with Speex/],
		[Buffer.from("RIFF\x10\0\0\0AVI LIST", "latin1"), /AVI/],
	];
	for (const [bytes, name] of foreign) {
		const refused = await refusal(() => listen([bytes], { format: "opus" }));
		t.equal(refused.status, "200006");
		t.match(refused.message, name);
	}
});

t.test("without a label the bytes alone decide", async (t) => {
	for (const [container, head] of containerHeads) {
		const intake = openIntake({ format: "auto" });
		await intake.accept(new Uint8Array(head));
		t.equal(intake.needsDecoder, container);
		intake.close();
	}
	const padded = join8(new Uint8Array(100), mp3Head());
	const intake = openIntake({ format: "auto" });
	await intake.accept(padded);
	t.equal(intake.needsDecoder, "mp3", "frames behind padding");
	intake.close();
	const text = Buffer.from("Dear sir, this is a letter. ".repeat(2000));
	for (const [bytes, message] of [
		[text, /no format that is known/],
		[webmHead("webm").subarray(0, 12), /ends before the header/],
		[oggHead("OpusHead").subarray(0, 25), /ends before the header/],
	] as const) {
		const refused = await refusal(() => listen([bytes], { format: "auto" }));
		t.equal(refused.status, "200006");
		t.match(refused.message, message);
	}
});

function mp3Head(): Uint8Array {
	const [, head] = containerHeads.filter(([name]) => name === "mp3")[1] ?? [];
	return head as Uint8Array;
}

t.test("raw PCM that only looks like a frame stays raw PCM", async (t) => {
	// one MPEG header, then speech; and the silence of -1, whose bytes are all 0xff
	const lookalikes = [
		join8(Uint8Array.of(0xff, 0xfb, 0x90, 0x64), s16Bytes(second)),
		new Uint8Array(32000).fill(0xff),
	];
	for (const bytes of lookalikes) {
		const samples = await listen([bytes], {});
		t.equal(samples.length, bytes.length / 2);
		t.ok(Buffer.from(s16Bytes(samples)).equals(bytes));
	}
});

t.test("raw PCM is decoded without delay", async (t) => {
	const intake = openIntake({});
	const samples = await intake.accept(s16Bytes(second.subarray(0, 160)));
	t.equal(samples.length, 160);
	intake.close();
});

t.test("samples of an external decoder pass the same checks", async (t) => {
	const open = async () => {
		const intake = openIntake({ format: "flac", durationSecondsMax: 1 });
		await intake.accept(Buffer.from("fLaC\x00\x00\x00\x22", "latin1"));
		intake.takeHeld();
		return intake;
	};
	const good = await open();
	t.strictSame(good.acceptDecoded(second.slice()), second);
	const tooMuch = await refusal(async () => good.acceptDecoded(second.slice()));
	t.equal(tooMuch.status, "200005");
	const poisoned = await open();
	const nan = await refusal(async () =>
		poisoned.acceptDecoded(Float32Array.of(0.1, Number.NaN)),
	);
	t.equal(nan.status, "200006");
	const empty = await open();
	t.equal((await refusal(() => empty.finish())).status, "200007");
});

t.test("gain", async (t) => {
	t.test("of 1 changes nothing and clips nothing", async (t) => {
		const loud = join([Float32Array.of(-1, 1 - 1 / 32768), second]);
		const intake = openIntake({});
		const samples = await intake.accept(s16Bytes(loud));
		t.strictSame(samples, loud.map(quantised));
		t.equal(intake.clippedSamples, 0);
	});
	t.test("of 2 doubles samples below the knee", async (t) => {
		const quiet = second.map((sample) => quantised(sample * 0.5));
		const samples = await listen([s16Bytes(quiet)], { gain: 2 });
		t.strictSame(
			samples,
			quiet.map((sample) => sample * 2),
		);
	});
	t.test("of 20 never wraps, keeps order and counts", async (t) => {
		const ramp = Float32Array.from(
			{ length: 2001 },
			(_, i) => (i - 1000) / 1001,
		);
		const intake = openIntake({ gain: 20 });
		const samples = await intake.accept(s16Bytes(ramp));
		for (let i = 1; i < samples.length; i++)
			if ((samples[i] as number) < (samples[i - 1] as number))
				t.fail(`at ${i}`);
		t.ok(samples.every((sample) => Math.abs(sample) <= 1));
		const clipped = ramp.filter((sample) => Math.abs(quantised(sample)) > 0.05);
		t.equal(intake.clippedSamples, clipped.length);
	});
});

function quantised(sample: number): number {
	return Math.round(sample * 32768) / 32768;
}

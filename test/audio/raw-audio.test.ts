/** Raw audio: G.711 code by code, widths, rates and channels, cut anywhere. */
import t from "tap";
import { ChannelCutter } from "../../runtime/audio/channel-cutter.js";
import type { RawFormat } from "../../runtime/audio/container.js";
import { decodeFrames, s16Bytes } from "../../runtime/audio/sample-codec.js";
import { listen } from "./listen.js";
import { seededRandom, tone } from "./signals.js";

/** ITU-T G.711, tables 2a and 2b: the values at decoder output of a segment's first code and the steps between its codes, positive, smallest first. */
const mulawSegments = [
	[0, 2],
	[33, 4],
	[99, 8],
	[231, 16],
	[495, 32],
	[1023, 64],
	[2079, 128],
	[4191, 256],
] as const;
/** Tables 1a and 1b. The two lowest segments have the same step. */
const alawSegments = [
	[1, 2],
	[33, 2],
	[66, 4],
	[132, 8],
	[264, 16],
	[528, 32],
	[1056, 64],
	[2112, 128],
] as const;

t.test("samples become 16-bit values, and what is louder is clipped", (t) => {
	const values = [0, 1, -1, 32_767, -32_768].map((value) => value / 32_768);
	const bytes = s16Bytes(Float32Array.of(...values, 1, 1.5, -1.5));
	t.same(bytes.subarray(0, 6), [0, 0, 1, 0, 255, 255], "little-endian");
	t.same(
		[...decodeFrames(bytes, "s16", 1)],
		[...values, 32_767 / 32_768, 32_767 / 32_768, -1],
	);
	t.end();
});

t.test("every code of mu-law is the value of G.711", (t) => {
	for (let code = 0; code < 256; code++) {
		const bits = ~code & 0x7f; // larger codes are smaller values
		const [first, step] = mulawSegments[bits >> 4] as readonly [number, number];
		const magnitude = first + (bits & 15) * step;
		const value = (code & 0x80 ? magnitude : -magnitude) / 8192; // 14 bits
		t.equal(decoded("mulaw", code) + 0, value + 0, `code ${code}`);
	}
	t.end();
});

t.test("every code of A-law is the value of G.711", (t) => {
	for (let code = 0; code < 256; code++) {
		const bits = (code ^ 0x55) & 0x7f;
		const [first, step] = alawSegments[bits >> 4] as readonly [number, number];
		const magnitude = first + (bits & 15) * step;
		const value = (code & 0x80 ? magnitude : -magnitude) / 4096; // 13 bits
		t.equal(decoded("alaw", code), value, `code ${code}`);
	}
	t.end();
});

function decoded(codec: "mulaw" | "alaw", code: number): number {
	return decodeFrames(Uint8Array.of(code), codec, 1)[0] as number;
}

t.test("one second of any rate is one second", async (t) => {
	for (const rateHz of [4000, 11025, 24000, 44100, 48000, 96001, 384000]) {
		const wave = tone({ hz: 300, rateHz, seconds: 1, amplitude: 0.5 });
		const bytes = bytesOf("pcm_s16le", wave);
		const samples = await listen([bytes], {
			format: "pcm_s16le",
			sampleRateHz: rateHz,
		});
		t.equal(samples.length, 16000, `${rateHz} Hz`);
		const middle = samples.subarray(4000, 12000);
		const power = middle.reduce((sum, it) => sum + it * it, 0) / middle.length;
		t.ok(Math.abs(power - 0.125) < 0.003, `${rateHz} Hz: power ${power}`);
	}
});

t.test("widths of one, two and four bytes hold the same wave", async (t) => {
	const wave = tone({ hz: 300, rateHz: 16000, seconds: 0.2, amplitude: 0.5 });
	for (const [format, precision] of [
		["pcm_u8", 1 / 128],
		["pcm_s16le", 1 / 32768],
		["pcm_s32le", 1 / 2 ** 24],
	] as const) {
		const samples = await listen([bytesOf(format, wave)], { format });
		const error = samples.map((it, i) => Math.abs(it - (wave[i] as number)));
		t.ok(Math.max(...error) <= precision, `${format}: ${Math.max(...error)}`);
	}
});

t.test("channels of raw audio are averaged, cut anywhere", async (t) => {
	const random = seededRandom(5);
	const left = tone({ hz: 300, rateHz: 16000, seconds: 0.1, amplitude: 0.5 });
	const stereo = new Float32Array(left.length * 2);
	for (const [i, sample] of left.entries()) stereo[2 * i] = sample;
	for (const format of ["pcm_u8", "pcm_s16le", "pcm_s32le"] as const) {
		const bytes = bytesOf(format, stereo);
		const options = { format, rawChannels: 2 };
		const whole = await listen([bytes], options);
		t.equal(whole.length, left.length);
		for (let round = 0; round < 10; round++)
			t.ok(same(await listen(cut(bytes, random), options), whole));
	}
});

t.test("interleaved channels are told apart, cut anywhere", (t) => {
	const random = seededRandom(6);
	for (const width of [1, 2, 4])
		for (const channels of [1, 2, 3]) {
			const frames = 50;
			const bytes = new Uint8Array(frames * width * channels + width - 1);
			for (let i = 0; i < bytes.length; i++)
				bytes[i] = Math.floor(i / width) % channels;
			for (let round = 0; round < 10; round++) {
				const cutter = new ChannelCutter(width, channels);
				const apart = cut(bytes, random).map((it) => cutter.accept(it));
				for (let channel = 0; channel < channels; channel++) {
					const own = Buffer.concat(
						apart.map((it) => it[channel] as Uint8Array),
					);
					t.equal(own.length, frames * width);
					t.ok(own.every((byte) => byte === channel));
				}
			}
		}
	t.end();
});

function same(a: Float32Array, b: Float32Array): boolean {
	return Buffer.from(a.buffer).equals(Buffer.from(b.buffer));
}

function cut(bytes: Uint8Array, random: () => number): Uint8Array[] {
	const pieces: Uint8Array[] = [];
	for (let at = 0; at < bytes.length; ) {
		const end = at + Math.floor(random() * 12);
		pieces.push(bytes.subarray(at, end));
		at = end;
	}
	return pieces;
}

function bytesOf(
	format: Extract<RawFormat, "pcm_u8" | "pcm_s16le" | "pcm_s32le">,
	wave: Float32Array,
): Uint8Array {
	switch (format) {
		case "pcm_u8":
			return Uint8Array.from(wave, (it) => Math.round(it * 128) + 128);
		case "pcm_s16le":
			return new Uint8Array(
				Int16Array.from(wave, (it) => Math.round(it * 32768)).buffer,
			);
		case "pcm_s32le":
			return new Uint8Array(
				Int32Array.from(wave, (it) => Math.round(it * 2147483648)).buffer,
			);
	}
}

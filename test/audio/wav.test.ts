/** WAV files of every coding, with correct and wrong headers. */
import t from "tap";
import { wavExtent } from "../../runtime/audio/wav-extent.js";
import { listen, refusal } from "./listen.js";
import { tone } from "./signals.js";
import { s16Bytes, type WavFields, wavBytes } from "./wav-bytes.js";

const source = tone({ hz: 440, rateHz: 16000, seconds: 0.5, amplitude: 0.7 });
const sourceBytes = s16Bytes(source);
const honest: WavFields = {
	tag: 1,
	channels: 1,
	sampleRateHz: 16000,
	bits: 16,
	data: sourceBytes,
};
const asWav = { format: "wav" } as const;

function largestError(samples: Float32Array): number {
	let largest = 0;
	samples.forEach((sample, i) => {
		largest = Math.max(largest, Math.abs(sample - (source[i] as number)));
	});
	return largest;
}

/** Interleaved copies of the source, with a factor for each channel. */
function encode(
	bytes: number,
	factors: readonly number[],
	write: (view: DataView, offset: number, sample: number) => void,
): Uint8Array {
	const view = new DataView(
		new ArrayBuffer(source.length * factors.length * bytes),
	);
	source.forEach((sample, i) => {
		factors.forEach((factor, channel) => {
			const offset = (i * factors.length + channel) * bytes;
			write(view, offset, sample * factor);
		});
	});
	return new Uint8Array(view.buffer);
}

/** ITU-T G.711 encoders, written from the segment tables. */
function mulaw(sample: number): number {
	const linear = Math.round(sample * 32768);
	const magnitude = Math.min(32635, Math.abs(linear)) + 132;
	const exponent = Math.floor(Math.log2(magnitude)) - 7;
	const mantissa = (magnitude >> (exponent + 3)) & 15;
	return ~((linear < 0 ? 0x80 : 0) | (exponent << 4) | mantissa) & 0xff;
}

function alaw(sample: number): number {
	const linear = Math.round(sample * 32768);
	const magnitude = Math.min(32767, Math.abs(linear)) >> 3; // 12 bits
	const exponent = Math.max(0, Math.floor(Math.log2(magnitude || 1)) - 4);
	const mantissa = (magnitude >> Math.max(1, exponent)) & 15;
	return ((linear >= 0 ? 0x80 : 0) | (exponent << 4) | mantissa) ^ 0x55;
}

const codings: [string, Partial<WavFields>, number][] = [
	["16-bit", {}, 1 / 32768],
	[
		"8-bit",
		{
			bits: 8,
			data: encode(1, [1], (v, o, s) =>
				v.setUint8(o, Math.round(s * 128) + 128),
			),
		},
		1 / 128,
	],
	[
		"24-bit",
		{
			bits: 24,
			data: encode(3, [1], (view, offset, sample) => {
				const value = Math.round(sample * 8388607);
				view.setUint16(offset, value & 0xffff, true);
				view.setInt8(offset + 2, value >> 16);
			}),
		},
		1 / 8388607,
	],
	[
		"32-bit",
		{
			bits: 32,
			data: encode(4, [1], (v, o, s) => v.setInt32(o, s * 2147483647, true)),
		},
		1e-7,
	],
	[
		"32-bit float",
		{
			tag: 3,
			bits: 32,
			data: encode(4, [1], (v, o, s) => v.setFloat32(o, s, true)),
		},
		1e-7,
	],
	[
		"64-bit float",
		{
			tag: 3,
			bits: 64,
			data: encode(8, [1], (v, o, s) => v.setFloat64(o, s, true)),
		},
		1e-7,
	],
	[
		"mu-law",
		{
			tag: 7,
			bits: 8,
			data: encode(1, [1], (v, o, s) => v.setUint8(o, mulaw(s))),
		},
		0.02,
	],
	[
		"A-law",
		{
			tag: 6,
			bits: 8,
			data: encode(1, [1], (v, o, s) => v.setUint8(o, alaw(s))),
		},
		0.02,
	],
	["extensible 16-bit", { extensible: true }, 1 / 32768],
	[
		"stereo, mixed by the mean,",
		{
			channels: 2,
			data: encode(2, [1.2, 0.8], (v, o, s) => v.setInt16(o, s * 32768, true)),
		},
		2 / 32768,
	],
];

t.test("every coding of a WAV gives the same samples", async (t) => {
	for (const [name, fields, errorMax] of codings) {
		const samples = await listen([wavBytes({ ...honest, ...fields })], asWav);
		t.equal(samples.length, source.length, `${name}: length`);
		const error = largestError(samples);
		t.ok(error <= errorMax, `${name}: error ${error} is within ${errorMax}`);
	}
});

t.test("wrong lengths are not trusted", async (t) => {
	const liars: [string, Partial<WavFields>][] = [
		["4 GB of data", { dataBytesDeclared: 0xfffffff0 }],
		[
			"an unknown length",
			{ dataBytesDeclared: 0xffffffff, riffBytesDeclared: 0xffffffff },
		],
		["no data", { dataBytesDeclared: 0, riffBytesDeclared: 0 }],
		["a huge file", { riffBytesDeclared: 0x7fffffff }],
		["a tiny file", { riffBytesDeclared: 4 }],
	];
	for (const [name, fields] of liars) {
		const before = process.memoryUsage().arrayBuffers;
		const samples = await listen([wavBytes({ ...honest, ...fields })], asWav);
		const grownBytes = process.memoryUsage().arrayBuffers - before;
		t.equal(
			samples.length,
			source.length,
			`${name}: all that is there is decoded`,
		);
		t.ok(grownBytes < 64e6, `${name}: memory grew by ${grownBytes} bytes`);
	}
});

t.test(
	"a stream goes on behind the length that sox and arecord write into a pipe",
	async (t) => {
		const behind = 1000;
		const framesBehind = new Map([
			[0x7ffff000, behind],
			[0x7ffff000 - (0x7ffff000 % 6), behind],
			[0x80000000, behind],
			[0x7fff0000, 0], // that long it is, with texts behind
			[0x7fffff00, 0],
		]);
		for (const [declared, more] of framesBehind) {
			const head = wavBytes({ ...honest, dataBytesDeclared: declared });
			const bytes = 44 + declared + 2 * behind;
			const { frames } = await wavExtent({
				bytes,
				read: async (offset, length) => head.subarray(offset, offset + length),
			});
			t.equal(frames, declared / 2 + more);
		}
	},
);

t.test("data extends to the end of a truncated file", async (t) => {
	const bytes = wavBytes(honest);
	const samples = await listen([bytes.subarray(0, bytes.length - 4001)], asWav);
	t.equal(samples.length, source.length - 2001, "half a sample is dropped");
});

t.test("bytes after the declared data are ignored", async (t) => {
	const bytes = wavBytes({
		...honest,
		chunksAfter: [["LIST", new Uint8Array(1000).fill(0x55)]],
	});
	t.equal((await listen([bytes], asWav)).length, source.length);
});

t.test("RF64 takes its length from ds64", async (t) => {
	const ds64 = Buffer.alloc(28);
	ds64.writeBigUInt64LE(BigInt(sourceBytes.length), 8);
	const bytes = wavBytes({
		...honest,
		magic: "RF64",
		riffBytesDeclared: 0xffffffff,
		dataBytesDeclared: 0xffffffff,
		chunksBefore: [["ds64", ds64]],
		chunksAfter: [["LIST", new Uint8Array(1000)]],
	});
	t.equal((await listen([bytes], asWav)).length, source.length);
});

t.test(
	"a truncated header is refused with the place where it ends",
	async (t) => {
		const bytes = wavBytes({
			...honest,
			chunksBefore: [["LIST", new Uint8Array(40)]],
		});
		const ends: [number, RegExp][] = [
			[14, /before its fmt chunk/],
			[40, /inside its "LIST" chunk/],
			[80, /inside its fmt chunk/],
			[86, /without a data chunk/],
		];
		for (const [length, message] of ends) {
			const refused = await refusal(() =>
				listen([bytes.subarray(0, length)], asWav),
			);
			t.equal(refused.status, "200006", `${length} bytes`);
			t.match(refused.message, message);
		}
	},
);

t.test("an invalid header value is refused by name", async (t) => {
	const nonsense: [Partial<WavFields>, RegExp][] = [
		[{ channels: 0 }, /0 channels/],
		[{ channels: 900 }, /900 channels/],
		[{ sampleRateHz: 0 }, /0 Hz/],
		[{ sampleRateHz: 3_000_000 }, /3000000 Hz/],
		[{ bits: 64 }, /64 bits/],
		[{ tag: 3, bits: 16 }, /16 bits/],
	];
	for (const [fields, message] of nonsense) {
		const bytes = wavBytes({ ...honest, ...fields });
		const refused = await refusal(() => listen([bytes], asWav));
		t.equal(refused.status, "200006");
		t.match(refused.message, message);
	}
});

t.test("a WAV without samples is empty audio", async (t) => {
	const bytes = wavBytes({ ...honest, data: new Uint8Array(0) });
	t.match(await refusal(() => listen([bytes], asWav)), { status: "200007" });
});

t.test("samples that are not finite are refused", async (t) => {
	for (const poison of [Number.NaN, Number.POSITIVE_INFINITY]) {
		const data = encode(4, [1], (v, o, s) => v.setFloat32(o, s, true));
		new DataView(data.buffer).setFloat32(4 * 1234, poison, true);
		for (const sampleRateHz of [16000, 44100]) {
			const bytes = wavBytes({
				...honest,
				tag: 3,
				bits: 32,
				sampleRateHz,
				data,
			});
			const refused = await refusal(() => listen([bytes], asWav));
			t.equal(refused.status, "200006");
			t.match(refused.message, /sample 1234 is not a finite number/);
		}
	}
});

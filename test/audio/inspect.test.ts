import t from "tap";
import { inspect } from "../../runtime/audio/inspect.js";
import type { ContainerFacts } from "../../runtime/audio/probe-port.js";
import type { SeekableBytes } from "../../runtime/audio/wav-extent.js";
import { CodedError } from "../../runtime/errors.js";

function fileOf(bytes: Uint8Array): SeekableBytes {
	return {
		bytes: bytes.length,
		read: async (offset, length) => bytes.subarray(offset, offset + length),
	};
}

const requested = { format: "wav", sampleRateHz: 16000, channels: 1 } as const;
const noProbe = async (): Promise<ContainerFacts> => {
	throw new Error("nobody should have asked");
};

function chunk(id: string, body: Buffer, declared = body.length): Buffer {
	const header = Buffer.alloc(8);
	header.write(id);
	header.writeUInt32LE(declared >>> 0, 4);
	const padding = Buffer.alloc(body.length % 2);
	return Buffer.concat([header, body, padding]);
}

function fmt(channels: number, rateHz: number, bits: number, tag = 1): Buffer {
	const body = Buffer.alloc(16);
	body.writeUInt16LE(tag, 0);
	body.writeUInt16LE(channels, 2);
	body.writeUInt32LE(rateHz, 4);
	body.writeUInt16LE((channels * bits) / 8, 12);
	body.writeUInt16LE(bits, 14);
	return chunk("fmt ", body);
}

function wav(...chunks: Buffer[]): Buffer {
	return Buffer.concat([
		Buffer.from("RIFF\xff\xff\xff\xffWAVE", "latin1"),
		...chunks,
	]);
}

const second = Buffer.alloc(32_000);

t.test(
	"a WAV's length follows from its bytes, whatever it declares",
	async (t) => {
		const cases: readonly [string, Buffer, number, number][] = [
			["plain", wav(fmt(1, 16000, 16), chunk("data", second)), 1000, 1],
			["stereo", wav(fmt(2, 8000, 16), chunk("data", second)), 1000, 2],
			[
				"192 kHz",
				wav(fmt(1, 192_000, 24), chunk("data", Buffer.alloc(576_000))),
				1000,
				1,
			],
			[
				"more declared",
				wav(fmt(1, 16000, 16), chunk("data", second, 2 ** 31)),
				1000,
				1,
			],
			[
				"less declared",
				wav(fmt(1, 16000, 16), chunk("data", second, 16_000)),
				500,
				1,
			],
			["unknown", wav(fmt(1, 16000, 16), chunk("data", second, 0)), 1000, 1],
			[
				"endless",
				wav(fmt(1, 16000, 16), chunk("data", second, 0xffffffff)),
				1000,
				1,
			],
			[
				"chunks before",
				wav(
					chunk("LIST", Buffer.alloc(70_001)),
					fmt(1, 16000, 16),
					chunk("junk", Buffer.alloc(3)),
					chunk("data", second),
				),
				1000,
				1,
			],
			[
				"one sample",
				wav(fmt(1, 16000, 16), chunk("data", Buffer.alloc(2))),
				1,
				1,
			],
			[
				"float, 7 channels",
				wav(fmt(7, 16000, 32, 3), chunk("data", Buffer.alloc(28 * 1600))),
				100,
				7,
			],
		];
		for (const [name, bytes, audioMs, channels] of cases)
			t.same(
				await inspect(fileOf(bytes), { ...requested, format: "pcm" }, noProbe),
				{ format: "wav", audioMs, channels, hasVideo: false },
				name,
			);
	},
);

t.test("an invalid WAV is refused with the place where it ends", async (t) => {
	const cases: readonly [string, Buffer, RegExp][] = [
		["cut in the header", wav(), /no fmt/],
		["no data", wav(fmt(1, 16000, 16)), /no data/],
		["data first", wav(chunk("data", second)), /before its fmt/],
		[
			"no format",
			wav(chunk("fmt ", Buffer.alloc(4)), chunk("data", second)),
			/fmt chunk has 4 bytes/,
		],
		["no rate", wav(fmt(1, 0, 16), chunk("data", second)), /sample rate of 0/],
		[
			"tiny chunks",
			wav(...new Array<Buffer>(1001).fill(chunk("junk", Buffer.alloc(0)))),
			/1000 chunks/,
		],
		["text", Buffer.from("RIFF is a text\n".repeat(100)), /not wav/],
	];
	for (const [name, bytes, why] of cases)
		await t.rejects(inspect(fileOf(bytes), requested, noProbe), why, name);
	const empty = wav(fmt(1, 16000, 16), chunk("data", Buffer.alloc(0)));
	await t.rejects(inspect(fileOf(empty), requested, noProbe), /empty/);
	await t.rejects(
		inspect(fileOf(Buffer.alloc(0)), requested, noProbe),
		/empty/,
	);
});

t.test("raw PCM is counted by rate and channels", async (t) => {
	const pcm = { format: "pcm", sampleRateHz: 8000, channels: 2 } as const;
	t.match(await inspect(fileOf(second), pcm, noProbe), {
		format: "pcm",
		audioMs: 1000,
		channels: 2,
	});
	await t.rejects(inspect(fileOf(Buffer.alloc(3)), pcm, noProbe), /empty/);
});

t.test("a container goes to the probe, under its real name", async (t) => {
	const facts = { audioMs: 5, channels: 1, hasVideo: false };
	const mp4 = (brand: string) =>
		fileOf(Buffer.from(`\0\0\0\x18ftyp${brand}${"x".repeat(99)}`));
	const probed: string[] = [];
	const probe = async (container: string) => {
		probed.push(container);
		return facts;
	};
	for (const [label, brand, format] of [
		["mp4", "isom", "mp4"],
		["m4a", "M4A ", "m4a"],
		["3gp", "3gp5", "3gp"],
		["3gp", "isom", "mp4"],
		["wav", "3g2a", "3gp"],
		["wav", "isom", "mp4"],
	] as const)
		t.match(
			await inspect(mp4(brand), { ...requested, format: label }, probe),
			{ format },
			`${label} ${brand}`,
		);
	t.same(new Set(probed), new Set(["mp4"]));
	const failing = async () => {
		throw new CodedError("200006", "no");
	};
	await t.rejects(inspect(mp4("isom"), requested, failing), /no/);
	const adpcm = wav(fmt(1, 16000, 4, 2), chunk("data", second));
	t.match(await inspect(fileOf(adpcm), requested, probe), {
		audioMs: 5,
		format: "wav",
	});
	t.equal(probed.at(-1), "wav");
});

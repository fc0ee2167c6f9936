/** Containers decoded by ffmpeg: every format, and all failures of a child. */
import { readdir, writeFile } from "node:fs/promises";
import { mock } from "node:test";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type {
	Container,
	DecodeOptions,
} from "../../runtime/audio/decoder-port.js";
import { cutAnywhere } from "../audio/cuts.js";
import { refusal } from "../audio/listen.js";
import { amplitudeAt, join } from "../audio/signals.js";
import { randomOf } from "../fuzz/random.js";
import {
	amrBytes,
	clipSeconds,
	EncodedFiles,
	ffmpegMissing,
	hasEncoder,
} from "./encoded.js";

const skip = await ffmpegMissing();
const files = await EncodedFiles.create();
t.teardown(() => files.remove());
const decoder = openFfmpeg({ spoolFolder: files.folder });

async function all(
	samples: AsyncIterable<Float32Array>,
): Promise<Float32Array> {
	const pieces: Float32Array[] = [];
	for await (const piece of samples) pieces.push(piece);
	return join(pieces);
}

async function* inPieces(
	bytes: Uint8Array,
	seed = 1,
): AsyncGenerator<Uint8Array, void, void> {
	yield* cutAnywhere(bytes, 9000, randomOf(seed));
}

function options(
	container: Container,
	more: Partial<DecodeOptions> = {},
): DecodeOptions {
	return { container, durationSecondsMax: 60, ...more };
}

const encodings: [string, Container, string, string[]][] = [
	["a.wav", "wav", "adpcm_ms", ["-c:a", "adpcm_ms"]],
	["a.mp3", "mp3", "libmp3lame", ["-c:a", "libmp3lame"]],
	[
		"stereo.mp3",
		"mp3",
		"libmp3lame",
		[
			"-c:a",
			"libmp3lame",
			"-ar",
			"44100",
			"-af",
			"volume=4,pan=stereo|c0=c0|c1=c0",
		],
	],
	["a.aac", "aac", "aac", ["-c:a", "aac", "-f", "adts"]],
	["a.opus", "ogg", "libopus", ["-c:a", "libopus", "-b:a", "32k"]],
	["vorbis.ogg", "ogg", "libvorbis", ["-c:a", "libvorbis"]],
	["a.webm", "webm", "libopus", ["-c:a", "libopus", "-ar", "48000"]],
	["vorbis.webm", "webm", "libvorbis", ["-c:a", "libvorbis"]],
	["a.flac", "flac", "flac", ["-c:a", "flac"]],
	["a.m4a", "mp4", "aac", ["-c:a", "aac"]],
	["a.mp4", "mp4", "aac", ["-c:a", "aac", "-movflags", "+faststart"]],
	["a.3gp", "mp4", "aac", ["-c:a", "aac"]],
	[
		"a.amr",
		"amr",
		"libopencore_amrnb",
		["-c:a", "libopencore_amrnb", "-ar", "8000"],
	],
];

t.test(
	"every format is decoded, from a file and as bytes",
	{ skip },
	async (t) => {
		for (const [name, container, encoder, args] of encodings) {
			if (!(await hasEncoder(encoder))) {
				t.pass(name, { skip: `this ffmpeg has no encoder ${encoder}` });
				continue;
			}
			const path = await files.encode(name, args);
			const fromFile = await all(decoder.decodeFile(path, options(container)));
			const seconds = fromFile.length / 16_000;
			t.ok(Math.abs(seconds - clipSeconds) < 0.15, `${name}: ${seconds} s`);
			const middle = fromFile.subarray(8000, 40_000);
			const amplitude = amplitudeAt(middle, 500, 16_000);
			t.ok(
				Math.abs(amplitude - 0.5) < 0.05,
				`${name}: amplitude ${amplitude.toFixed(3)}`,
			);
			const fromBytes = await all(
				decoder.decodeBytes(
					inPieces(await files.read(name)),
					options(container),
				),
			);
			const missing = Math.abs(fromBytes.length - fromFile.length);
			t.ok(missing < 1600, `${name}: as bytes ${missing} samples differ`);
		}
	},
);

t.test("AMR is decoded where ffmpeg can't encode it", { skip }, async (t) => {
	const samples = await all(
		decoder.decodeBytes(inPieces(amrBytes(100)), options("amr")),
	);
	t.equal(samples.length, 2 * 16_000);
});

t.test("the chunking of the bytes makes no difference", { skip }, async (t) => {
	await files.encode("cut.flac", ["-c:a", "flac"]);
	const bytes = await files.read("cut.flac");
	const whole = await all(
		decoder.decodeBytes(inPieces(bytes), options("flac")),
	);
	for (const seed of [2, 3, 4]) {
		const heard = await all(
			decoder.decodeBytes(inPieces(bytes, seed), options("flac")),
		);
		t.strictSame(heard, whole, `seed ${seed}`);
	}
});

t.test("samples are returned while bytes still arrive", { skip }, async (t) => {
	await files.encode("live.mp3", ["-c:a", "libmp3lame"]);
	const bytes = await files.read("live.mp3");
	let release = () => {};
	const held = new Promise<void>((resolve) => {
		release = resolve;
	});
	async function* live() {
		yield bytes.subarray(0, bytes.length - 200);
		await held;
		yield bytes.subarray(bytes.length - 200);
	}
	let first = true;
	for await (const samples of decoder.decodeBytes(live(), options("mp3"))) {
		if (first) t.ok(samples.length > 0, "before the last bytes were sent");
		first = false;
		release();
	}
	t.notOk(first);
});

t.test(
	"a decompression bomb is not decoded to its end",
	{ skip },
	async (t) => {
		// three hours of silence in less than 1 MB
		await files.ffmpeg([
			...["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "10800"],
			...[
				"-c:a",
				"libopus",
				"-b:a",
				"500",
				"-frame_duration",
				"60",
				"-vbr",
				"on",
			],
			files.path("bomb.opus"),
		]);
		const bytes = await files.read("bomb.opus");
		let given = 0;
		async function* counted() {
			for (let start = 0; start < bytes.length; start += 4096) {
				given = Math.min(bytes.length, start + 4096);
				yield bytes.subarray(start, given);
			}
		}
		const fromBytes = await all(decoder.decodeBytes(counted(), options("ogg")));
		t.equal(
			fromBytes.length,
			61 * 16_000,
			"one second more than allowed tells that there is more",
		);
		t.ok(
			given < bytes.length / 2,
			`${given} of ${bytes.length} bytes were read`,
		);
		const fromFile = await all(
			decoder.decodeFile(files.path("bomb.opus"), options("ogg")),
		);
		t.equal(fromFile.length, 61 * 16_000);
	},
);

t.test(
	"an undecodable file is refused with the reason, without a path",
	{ skip },
	async (t) => {
		const text = Buffer.from("Dear sir, this is a letter. ".repeat(500));
		await writeFile(files.path("letter.m4a"), text);
		for (const container of ["mp4", "wav", "flac", "amr"] as const) {
			const refused = await refusal(() =>
				all(decoder.decodeFile(files.path("letter.m4a"), options(container))),
			);
			t.equal(refused.status, "200006", container);
			t.match(refused.message, /^audio can't be decoded: .+/);
			t.notMatch(refused.message, files.folder);
			t.notMatch(refused.message, /letter\.m4a/);
		}
	},
);

t.test("a file without audio is refused", { skip }, async (t) => {
	await files.ffmpeg([
		...["-f", "lavfi", "-i", "color=size=16x16:duration=1"],
		files.path("picture.mp4"),
	]);
	const picture = decoder.decodeFile(files.path("picture.mp4"), options("mp4"));
	t.match(await refusal(() => all(picture)), { status: "200006" });
	await files.encode("index-at-end.m4a", ["-c:a", "aac"]);
	const whole = await files.read("index-at-end.m4a");
	const torn = whole.subarray(0, whole.length / 2); // its index is lost
	const refused = await refusal(() =>
		all(decoder.decodeBytes(inPieces(torn), options("mp4"))),
	);
	t.equal(refused.status, "200006");
});

t.test("leaving early ends the child, and the source", { skip }, async (t) => {
	await files.encode("early.flac", ["-c:a", "flac"]);
	const bytes = await files.read("early.flac");
	let closed = false;
	async function* endless() {
		try {
			for (;;) yield bytes;
		} finally {
			closed = true;
		}
	}
	for await (const _ of decoder.decodeBytes(endless(), options("flac"))) break;
	await settled(() => closed);
	t.ok(closed);
});

/** Waits for what must come soon, in turns of the event loop. */
async function settled(done: () => boolean): Promise<void> {
	for (let turn = 0; turn < 10_000 && !done(); turn++)
		await new Promise((resolve) => setImmediate(resolve));
}

t.test("an abort ends the work with its reason", { skip }, async (t) => {
	await files.encode("abort.mp3", ["-c:a", "libmp3lame"]);
	const bytes = await files.read("abort.mp3");
	const abort = new AbortController();
	const reason = new Error("nobody listens any more");
	async function* silentAfterwards() {
		yield bytes;
		await new Promise(() => {}); // an idle client
	}
	const work = async () => {
		const { signal } = abort;
		for await (const _ of decoder.decodeBytes(
			silentAfterwards(),
			options("mp3", { signal }),
		))
			abort.abort(reason);
	};
	await t.rejects(work(), reason);
	const before = decoder.decodeFile(
		files.path("abort.mp3"),
		options("mp3", { signal: abort.signal }),
	);
	await t.rejects(all(before), reason);
});

t.test(
	"a source that fails ends the work with its failure",
	{ skip },
	async (t) => {
		async function* failing() {
			yield new Uint8Array(10);
			throw new Error("the client went away");
		}
		for (const container of ["mp3", "mp4"] as const)
			await t.rejects(all(decoder.decodeBytes(failing(), options(container))), {
				message: "the client went away",
			});
	},
);

t.test("a missing program is named with its package", async (t) => {
	const lost = openFfmpeg({ program: "/nowhere/ffmpeg" });
	const refused = await refusal(() =>
		all(lost.decodeFile("a.mp3", options("mp3"))),
	);
	t.equal(refused.status, "100003", "not the client's fault");
	t.match(
		refused.message,
		/ffmpeg is not installed \(apt-get install ffmpeg\)/,
	);
});

/** A program that runs the given script, with any arguments. */
async function pretender(name: string, script: string, stallSecondsMax = 30) {
	await writeFile(files.path(name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
	return openFfmpeg({ program: files.path(name), stallSecondsMax });
}

t.test("a child that is killed is an error, even after samples", async (t) => {
	const killed = await pretender(
		"killed",
		"head -c 64000 /dev/zero; kill -9 $$",
	);
	let samplesSeen = 0;
	const refused = await refusal(async () => {
		for await (const samples of killed.decodeFile("a.mp3", options("mp3")))
			samplesSeen += samples.length;
	});
	t.equal(samplesSeen, 16_000);
	t.match(refused, {
		status: "200006",
		message: "audio can't be decoded: the decoder was killed by SIGKILL",
	});
});

t.test(
	"a child's error message is quoted without paths and addresses",
	async (t) => {
		const failing = await pretender(
			"failing",
			`echo "[mov @ 0x55d0c0ffee] moov atom not found in /secret/place/x.m4a" >&2; exit 1`,
		);
		const refused = await refusal(() =>
			all(failing.decodeFile("a.mp3", options("mp3"))),
		);
		t.equal(
			refused.message,
			"audio can't be decoded: [mov] moov atom not found in …",
		);
	},
);

t.test("a child that stalls is killed", async (t) => {
	const still = await pretender("still", "exec sleep 600", 0.3);
	const refused = await refusal(() =>
		all(still.decodeFile("a.mp3", options("mp3"))),
	);
	t.match(refused.message, /the decoder stalled for 0.3 s/);
});

t.test("a slow consumer is no stalled child", async (t) => {
	const copying = await pretender("copying", "exec cat");
	let hear: () => void = () => {};
	const heard = new Promise<void>((resolve) => {
		hear = resolve;
	});
	let end: () => void = () => {};
	const ended = new Promise<void>((resolve) => {
		end = resolve;
	});
	async function* said() {
		yield new Uint8Array(6000);
		await heard;
		yield new Uint8Array(2000);
		end();
	}
	let samplesSeen = 0;
	for await (const samples of copying.decodeBytes(said(), options("mp3"))) {
		if (samplesSeen === 0) {
			t.teardown(() => mock.timers.reset());
			mock.timers.enable({ apis: ["setTimeout"] });
			hear();
			await ended;
			// the input's end is known by then
			await new Promise((turn) => setImmediate(turn));
			mock.timers.tick(31_000);
			mock.timers.reset();
		}
		samplesSeen += samples.length;
	}
	t.equal(samplesSeen, 2000);
});

t.test("a child has limits on memory, time, cores and files", async (t) => {
	for (const [limit, expected] of [
		["-v", "1048576"], // KiB
		["-c", "0"],
		["-t", "36"], // seconds, for a minute of audio
	] as const) {
		const asked = await pretender("asked", `ulimit ${limit} >&2; exit 1`);
		const refused = await refusal(() =>
			all(asked.decodeFile("a.mp3", options("mp3"))),
		);
		t.equal(refused.message, `audio can't be decoded: ${expected}`, limit);
	}
	const writing = await pretender(
		"writing",
		`echo x > ${files.path("written")} || echo refused >&2; exit 1`,
	);
	t.match(
		await refusal(() => all(writing.decodeFile("a.mp3", options("mp3")))),
		{
			message: /refused|SIGXFSZ|File size/,
		},
	);
});

t.test("spooled input leaves nothing behind", { skip }, async (t) => {
	const names = await readdir(files.folder);
	t.strictSame(
		names.filter((name) => name.startsWith("earshot-spool-")),
		[],
	);
});

t.test("spooled input has a limit", async (t) => {
	const small = openFfmpeg({ spoolFolder: files.folder, spoolBytesMax: 1000 });
	const refused = await refusal(() =>
		all(small.decodeBytes(inPieces(new Uint8Array(2000)), options("mp4"))),
	);
	t.match(refused, {
		status: "200004",
		message: "audio file is larger than its limit of 1000 bytes",
	});
});

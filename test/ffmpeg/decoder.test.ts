/** Containers decoded by ffmpeg: every format, and input that is damaged, interrupted or left early. */
import { readdir, writeFile } from "node:fs/promises";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import type { Container } from "../../runtime/audio/decoder-port.js";
import { refusal } from "../audio/listen.js";
import { amplitudeAt } from "../audio/signals.js";
import { eventually } from "../fixtures/eventually.js";
import { all, inPieces, options } from "./decoding.js";
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

t.test(
	"sound that begins later than the pictures keeps its place",
	{ skip },
	async (t) => {
		for (const name of ["late.mp4", "late.webm"]) {
			const container = name.endsWith("webm") ? "webm" : "mp4";
			const path = files.path(name);
			await files.ffmpeg([
				...["-f", "lavfi", "-i", "testsrc=duration=5:size=32x32:rate=5"],
				...["-itsoffset", "2", "-f", "lavfi"],
				...["-i", "sine=frequency=500:duration=3:sample_rate=48000"],
				...(container === "webm" ? ["-c:v", "libvpx"] : ["-c:v", "mpeg4"]),
				path,
			]);
			const samples = await all(decoder.decodeFile(path, options(container)));
			const begin = samples.findIndex((it) => Math.abs(it) > 0.05);
			t.ok(
				Math.abs(begin / 16_000 - 2) < 0.1,
				`${name}: begins at ${begin / 16_000} s`,
			);
			t.ok(Math.abs(samples.length / 16_000 - 5) < 0.1, name);
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
		const decoded = await all(
			decoder.decodeBytes(inPieces(bytes, seed), options("flac")),
		);
		t.strictSame(decoded, whole, `seed ${seed}`);
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
	t.ok(await eventually("the source to be closed", () => closed));
});

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

t.test("spooled input leaves nothing behind", { skip }, async (t) => {
	const names = await readdir(files.folder);
	t.strictSame(
		names.filter((name) => name.startsWith("earshot-spool-")),
		[],
	);
});

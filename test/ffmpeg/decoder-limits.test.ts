/** The limits of decoding: of samples, of the decoder's process, of spooled input. */
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { refusal } from "../audio/listen.js";
import { all, inPieces, options, pretender } from "./decoding.js";
import { EncodedFiles, ffmpegMissing } from "./encoded.js";

const skip = await ffmpegMissing();
const files = await EncodedFiles.create();
t.teardown(() => files.remove());
const decoder = openFfmpeg({ spoolFolder: files.folder });

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
	"the limit counts samples, however time stamps jump",
	{ skip },
	async (t) => {
		const path = await files.encode("whole.webm", ["-c:a", "libopus"]);
		const gap = files.path("gap.webm");
		const jump = "setts=ts=if(gte(PTS\\,500)\\,PTS+5000\\,PTS)";
		await files.ffmpeg(["-i", path, "-c", "copy", "-bsf:a", jump, gap]);
		const decode = {
			...options("webm"),
			durationSecondsMax: 3,
			streamed: true,
		};
		const bytes = await all(
			decoder.decodeBytes(inPieces(await files.read("gap.webm"), 999), decode),
		);
		const whole = await all(decoder.decodeFile(path, options("webm")));
		t.equal(bytes.length, whole.length);

		await files.encode("one.opus", ["-c:a", "libopus"]);
		const one = await files.read("one.opus");
		const chained = await all(
			decoder.decodeBytes(inPieces(Buffer.concat([one, one, one, one]), 999), {
				...options("ogg"),
				durationSecondsMax: 4,
			}),
		);
		t.equal(chained.length, 5 * 16_000);
	},
);

t.test("a child has limits on memory, time, cores and files", async (t) => {
	for (const [limit, expected] of [
		["-v", "1048576"], // KiB
		["-c", "0"],
		["-t", "36"], // seconds, for a minute of audio
	] as const) {
		const limited = await pretender(
			files.path("limited"),
			`ulimit ${limit} >&2; exit 1`,
		);
		const refused = await refusal(() =>
			all(limited.decodeFile("a.mp3", options("mp3"))),
		);
		t.equal(refused.message, `audio can't be decoded: ${expected}`, limit);
	}
	const writing = await pretender(
		files.path("writing"),
		`echo x > ${files.path("written")} || echo refused >&2; exit 1`,
	);
	t.match(
		await refusal(() => all(writing.decodeFile("a.mp3", options("mp3")))),
		{
			message: /refused|SIGXFSZ|File size/,
		},
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

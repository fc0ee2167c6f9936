/** Files in containers at the endpoint: valid, unusual, and damaged ones. */
import { readFile, truncate } from "node:fs/promises";
import t from "tap";
import {
	amrBytes,
	EncodedFiles,
	ffmpegMissing,
	hasEncoder,
} from "../ffmpeg/encoded.js";
import { holds } from "../fuzz/holds.js";
import { type RunningFiles, startFiles } from "./running-files.js";
import { damagedFilesLeaveNothing } from "./uploads.property.js";

const skip = await ffmpegMissing();
const vip = "/v1/asrfile/upload/vip";
const nothing = { duration: 0, task_id: "" };

t.test("containers at the endpoint", { skip }, async (t) => {
	const encoded = await EncodedFiles.create();
	t.teardown(() => encoded.remove());
	const picture = ["-f", "lavfi", "-i", "testsrc=duration=3:size=64x64:rate=5"];
	const tone = [
		"-f",
		"lavfi",
		"-i",
		"sine=frequency=500:duration=3:sample_rate=16000",
	];
	const upload = async (
		files: RunningFiles,
		format: string,
		file: Uint8Array,
		path?: string,
	) => files.upload({ lang_type: "en", format, file }, path);
	const bytesOf = async (name: string, args: readonly string[] = []) =>
		readFile(await encoded.encode(name, args));

	t.test("each variant accepts its formats", async (t) => {
		const files = await startFiles(t);
		const cases: readonly (readonly [string, Uint8Array, boolean])[] = [
			["mp3", await bytesOf("a.mp3"), true],
			["aac", await bytesOf("a.aac"), true],
			["m4a", await bytesOf("a.m4a"), false],
			["mp4", await bytesOf("a.mp4"), false], // its index is at the end
			["3gp", await bytesOf("a.3gp", ["-c:a", "aac"]), true],
			["flac", await bytesOf("a.flac"), true],
			["amr", amrBytes(150), true],
			...((await hasEncoder("libopus"))
				? ([
						["opus", await bytesOf("a.opus", ["-c:a", "libopus"]), true],
					] as const)
				: []),
		];
		for (const [format, bytes, isForVip] of cases) {
			t.match(
				await upload(files, format, bytes),
				{ data: { duration: 3 } },
				format,
			);
			t.equal(files.taskService.last.options.format, format);
			t.match(
				await upload(files, format, bytes, vip),
				{ status: isForVip ? "000000" : "200006" },
				`${format} for VIP`,
			);
			// whatever it is called, real content wins; the others' content: audio/intake
			if (!["mp3", "m4a", "mp4", "opus"].includes(format)) continue;
			t.match(
				await upload(files, "wav", bytes),
				{ status: "000000" },
				`${format} called wav`,
			);
			t.match(
				await upload(files, "3gp", bytes, vip),
				{ status: isForVip ? "000000" : "200006" },
				`${format} called 3gp`,
			);
		}
	});

	t.test("the first audio track of a video is used", async (t) => {
		const files = await startFiles(t, {
			overrides: { files: { audio_file_bytes_max: 2048 } },
		});
		const path = encoded.path("video.mp4");
		await encoded.ffmpeg([...picture, ...tone, "-c:v", "mpeg4", path]);
		const video = await readFile(path);
		t.ok(video.length > 2048, "larger than audio may be");
		t.match(await upload(files, "mp4", video), { data: { duration: 3 } });
		const mute = encoded.path("mute.mp4");
		await encoded.ffmpeg([...picture, "-c:v", "mpeg4", mute]);
		t.match(await upload(files, "mp4", await readFile(mute)), {
			status: "200006",
			message: /no audio track/,
			data: nothing,
		});
		t.equal(files.left().length, 1);
	});

	t.test("unusual files get clear answers", async (t) => {
		const files = await startFiles(t);
		const refused = async (
			name: string,
			format: string,
			bytes: Uint8Array,
			status: string,
			why: RegExp,
		) =>
			t.match(
				await upload(files, format, bytes),
				{ status, message: why, data: nothing },
				name,
			);
		const surround = await bytesOf("surround.flac", ["-ac", "7"]);
		await refused("7 channels", "flac", surround, "200006", /7 channels/);
		const cut = await encoded.encode("cut.mp4", []);
		await truncate(cut, 4000);
		await refused(
			"a truncated mp4",
			"mp4",
			await readFile(cut),
			"200006",
			/can't be decoded/,
		);
		const empty = encoded.path("empty.mp4");
		await encoded.ffmpeg([...tone, "-t", "0", empty]);
		await refused(
			"a track without length",
			"mp4",
			await readFile(empty),
			"20000",
			/./,
		);
		const inOgg = encoded.path("a.oga");
		await encoded.ffmpeg([...tone, ...["-c:a", "flac", "-f", "ogg"], inOgg]);
		await refused("FLAC", "opus", await readFile(inOgg), "200006", /with FLAC/);
		// a block of 17 bytes is eight seconds of silence here
		const bomb = encoded.path("bomb.flac");
		await encoded.ffmpeg([
			...["-f", "lavfi", "-i", "anullsrc=r=8000:cl=mono", "-t", "19000"],
			...["-c:a", "flac", "-frame_size", "65535", bomb],
		]);
		const hours = await readFile(bomb);
		t.ok(hours.length < 50_000, `${hours.length} bytes`);
		await refused("a media bomb", "flac", hours, "200005", /5 hours/);
		t.same(files.left(), []);
	});

	t.test("damaged files", async (t) => {
		await holds(t, await damagedFilesLeaveNothing(t), 24);
	});
});

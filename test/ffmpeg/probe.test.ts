import { readdirSync } from "node:fs";
import { truncate, writeFile } from "node:fs/promises";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { openProbe } from "../../drivers/ffmpeg/probe.js";
import type { Container } from "../../runtime/audio/decoder-port.js";
import {
	amrBytes,
	clipSeconds,
	EncodedFiles,
	ffmpegMissing,
	hasEncoder,
} from "./encoded.js";

const skip = await ffmpegMissing();

t.test("ffprobe", { skip }, async (t) => {
	const files = await EncodedFiles.create();
	t.teardown(() => files.remove());
	const decoder = openFfmpeg();
	const prober = openProbe({ decoder });
	const probe = (path: string, container: Container, secondsMax = 18_000) =>
		prober.probeFile(path, { container, durationSecondsMax: secondsMax });
	const stereo = ["-ac", "2"];
	const tone = (seconds: number) => [
		...["-f", "lavfi"],
		...["-i", `sine=frequency=500:duration=${seconds}:sample_rate=16000`],
	];
	const picture = ["-f", "lavfi", "-i", "testsrc=duration=3:size=32x32:rate=5"];

	t.test("length and channels of every container are found", async (t) => {
		const cases: (readonly [string, Container, readonly string[]])[] = [
			["a.mp3", "mp3", []],
			["stereo.mp3", "mp3", stereo],
			["a.aac", "aac", []],
			["a.m4a", "mp4", stereo],
			["a.mp4", "mp4", ["-movflags", "+faststart"]],
			["a.3gp", "mp4", ["-c:a", "aac"]],
			["a.flac", "flac", stereo],
			["adpcm.wav", "wav", ["-c:a", "adpcm_ms"]],
			...((await hasEncoder("libopus"))
				? ([
						["a.opus", "ogg", ["-c:a", "libopus"]],
						["a.webm", "webm", ["-c:a", "libopus"]],
						["live.webm", "webm", ["-c:a", "libopus", "-live", "1"]],
					] as const)
				: []),
		];
		for (const [name, container, args] of cases) {
			const facts = await probe(await files.encode(name, args), container);
			const expected = clipSeconds * 1000;
			t.ok(
				facts.audioMs >= expected && facts.audioMs < expected + 200,
				`${name} of ${facts.audioMs} ms`,
			);
			t.match(facts, { hasVideo: false, channels: args === stereo ? 2 : 1 });
		}
		await writeFile(files.path("a.amr"), amrBytes(100));
		t.match(await probe(files.path("a.amr"), "amr"), {
			audioMs: 2000,
			channels: 1,
		});
	});

	t.test("one ffprobe is enough where there is one track", async (t) => {
		const program = files.path("counted");
		const runs = t.testdir();
		// under its limits it may write no file
		const script = `#!/bin/sh\nmkdir "${runs}/$$"; exec ffprobe "$@"\n`;
		await writeFile(program, script, { mode: 0o755 });
		const counted = openProbe({ decoder, program });
		const path = await files.encode("one.m4a", stereo);
		const options = { container: "mp4", durationSecondsMax: 60 } as const;
		const facts = await counted.probeFile(path, options);
		t.match(facts, { channels: 2, hasVideo: false });
		t.equal(readdirSync(runs).length, 1);
		const short = await counted.probeFile(path, {
			...options,
			durationSecondsMax: 1,
		});
		t.match(short, { channels: 2, hasVideo: false }, "also if it is too long");
		t.ok(short.audioMs > 1000);
	});

	t.test("what is known of a file is not looked for again", async (t) => {
		const known: unknown[] = [];
		const watched = openProbe({
			decoder: {
				decodeBytes: decoder.decodeBytes,
				decodeFile(path, options) {
					known.push(options.delaySeconds);
					return decoder.decodeFile(path, options);
				},
			},
		});
		const path = files.path("later.mp4");
		await files.ffmpeg([
			...[...picture, "-itsoffset", "2", ...tone(1)],
			...["-c:v", "mpeg4", path],
		]);
		const options = { container: "mp4", durationSecondsMax: 60 } as const;
		const { audioMs } = await watched.probeFile(path, options);
		t.ok(audioMs >= 2900 && audioMs < 3200, `${audioMs} ms`);
		t.equal(known.length, 1);
		t.ok(Number(known[0]) > 1.9 && Number(known[0]) < 2.1, String(known));
	});

	t.test("video is distinguished from cover art", async (t) => {
		const video = files.path("video.mp4");
		await files.ffmpeg([...picture, ...tone(3), "-c:v", "mpeg4", video]);
		t.match(await probe(video, "mp4"), { hasVideo: true, channels: 1 });
		const song = files.path("song.mp3");
		await files.ffmpeg([
			...[...tone(3), ...picture],
			...["-map", "0", "-map", "1", "-frames:v", "1", "-c:v", "png", song],
		]);
		t.match(await probe(song, "mp3"), { hasVideo: false });
	});

	t.test("the first of several audio tracks counts", async (t) => {
		const path = files.path("tracks.mp4");
		await files.ffmpeg([
			...[...picture, ...tone(2), ...tone(5)],
			...["-map", "0", "-map", "1", "-map", "2", "-c:v", "mpeg4", path],
		]);
		const { audioMs } = await probe(path, "mp4");
		t.ok(audioMs >= 2000 && audioMs < 2200, `${audioMs} ms`);
	});

	t.test("what is before the sound of a video counts", async (t) => {
		const path = files.path("late.mp4");
		await files.ffmpeg([
			...[...picture, "-itsoffset", "2", ...tone(12)],
			...["-c:v", "mpeg4", path],
		]);
		// longer than what is decoded to prove that it can be
		const { audioMs } = await probe(path, "mp4");
		t.ok(audioMs >= 13_900 && audioMs < 14_200, `${audioMs} ms`);
	});

	t.test("an undecodable file is refused, without a path", async (t) => {
		const mute = files.path("mute.mp4");
		await files.ffmpeg([...picture, "-c:v", "mpeg4", mute]);
		await t.rejects(probe(mute, "mp4"), /no audio track/);
		const cut = await files.encode("cut.mp4", []);
		await truncate(cut, 3000); // its index is at the end
		const thrown = await probe(cut, "mp4").catch((it) => it);
		t.match(thrown, { status: "200006", message: /can't be decoded/ });
		t.notMatch(thrown.message, files.folder);
		await writeFile(files.path("text.mp3"), "this is no music\n".repeat(500));
		await t.rejects(probe(files.path("text.mp3"), "mp3"), { code: undefined });
		await t.rejects(probe(files.path("nothing.mp3"), "mp3"), /can't be/);
	});

	t.test("counting stops at the limit", async (t) => {
		const path = files.path("long.mp3");
		await files.ffmpeg([...tone(60), "-b:a", "8k", path]);
		const { audioMs } = await probe(path, "mp3", 5);
		t.ok(audioMs > 5000, "it is known to be longer");
	});

	t.test("the caller may cancel", async (t) => {
		const abort = new AbortController();
		const path = await files.encode("left.mp3", []);
		const options = { container: "mp3" as const, durationSecondsMax: 10 };
		const probes = Array.from({ length: 5 }, () =>
			prober.probeFile(path, { ...options, signal: abort.signal }),
		);
		const answers = Promise.allSettled(probes);
		abort.abort(new Error("gone"));
		for (const answer of await answers)
			t.match(answer, { status: "rejected", reason: /gone/ });
		t.ok((await probe(path, "mp3")).audioMs > 0, "the others go on");
	});
});

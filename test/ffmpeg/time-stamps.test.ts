/** Samples are where a player would play them: silence stands for gaps, and before a sound that begins after its picture. */
import { writeFile } from "node:fs/promises";
import t from "tap";
import { openFfmpeg } from "../../drivers/ffmpeg/decoder.js";
import { openProbe } from "../../drivers/ffmpeg/probe.js";
import type { Container } from "../../runtime/audio/decoder-port.js";
import { all, options } from "./decoding.js";
import { EncodedFiles, ffmpegMissing, hasEncoder } from "./encoded.js";

const skip =
	(await ffmpegMissing()) || (!(await hasEncoder("libopus")) && "no libopus");

t.test("audio is placed by its time stamps", { skip }, async (t) => {
	const files = await EncodedFiles.create();
	t.teardown(() => files.remove());
	const decoder = openFfmpeg();
	const prober = openProbe({ decoder });
	const m4a = await files.encode("a.m4a", []);
	const webm = await files.encode("a.webm", ["-c:a", "libopus"]);
	const copied = (from: string, to: string, jump: string) =>
		files.ffmpeg([
			...["-i", from, "-c", "copy"],
			...["-bsf:a", `setts=ts=${jump}`, files.path(to)],
		]);
	await copied(m4a, "gap.m4a", "if(gte(PTS\\,16000)\\,PTS+80000\\,PTS)");
	await copied(webm, "gap.webm", "if(gte(PTS\\,1000)\\,PTS+5000\\,PTS)");
	const picture = ["-f", "lavfi", "-i", "testsrc=duration=6:size=32x32:rate=5"];
	await files.ffmpeg([
		...[...picture, "-itsoffset", "2", "-i", m4a, "-c:a", "copy"],
		...["-c:v", "mpeg4", files.path("late.mp4")],
	]);
	const one = await files.read("a.webm");
	await writeFile(files.path("twice.webm"), Buffer.concat([one, one]));

	const cases: readonly (readonly [
		name: string,
		container: Container,
		seconds: number,
		silentSeconds: readonly [from: number, to: number],
	])[] = [
		["a.m4a", "mp4", 3, [3, 3]],
		["a.webm", "webm", 3, [3, 3]],
		["gap.m4a", "mp4", 8, [1.1, 5.9]],
		["gap.webm", "webm", 8, [1.1, 5.9]],
		["late.mp4", "mp4", 5, [0, 1.9]],
		// the second begins at 0 again: nothing of it is dropped
		["twice.webm", "webm", 6, [3, 3]],
	];
	for (const [name, container, seconds, [from, to]] of cases) {
		const path = files.path(name);
		const samples = await all(decoder.decodeFile(path, options(container)));
		const decodedMs = samples.length / 16;
		t.ok(Math.abs(decodedMs - seconds * 1000) < 200, `${name}: ${decodedMs}`);
		const isLoud = (it: number) => Math.abs(it) > 0.05;
		t.notOk(samples.subarray(from * 16_000, to * 16_000).some(isLoud), name);
		t.ok(samples.subarray((to + 0.2) * 16_000 - 16_000).some(isLoud), name);
		const facts = await prober.probeFile(path, options(container));
		t.ok(
			Math.abs(facts.audioMs - decodedMs) < 200,
			`${name}: its length is known before, ${facts.audioMs}`,
		);
	}
});

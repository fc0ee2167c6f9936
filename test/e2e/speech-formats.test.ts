import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { countErrors, errorPercent } from "../../scripts/benchmarks/scoring.js";
import { ffmpegOnce } from "../ffmpeg/encoded.js";
import { repository } from "./running-appliance.js";
import { sharedAppliance } from "./shared-appliance.js";

const package_ = join(repository, "models/whisper-base");
const manifest = JSON.parse(readFileSync(join(package_, "model.json"), "utf8"));
const clip = join(package_, manifest.probe.file);

t.test("every format of short recognition is heard alike", async (t) => {
	const folder = mkdtempSync(join(tmpdir(), "earshot-formats-"));
	const earshot = await sharedAppliance();
	t.teardown(() => rmSync(folder, { recursive: true }));
	const recognize = async (query: Record<string, string>, path: string) => {
		const answer = await earshot.recognize(
			{ lang_type: "en-US", ...query },
			readFileSync(path),
		);
		const body = (await answer.json()) as {
			status: string;
			message: string;
			data: { result: string; task_id: string };
		};
		t.equal(answer.status, 200, `${path} ${JSON.stringify(body)}`);
		t.match(body.data.task_id, /^[\w-]{22,}$/);
		return body.data.result;
	};
	const wanted = await recognize({ format: "wav" }, clip);
	t.match(wanted, /^[A-Z].*[.?!]$/, "punctuated by default");

	// each kind of way through the decoding; what each format decodes to: test/ffmpeg/decoder.test.ts, test/audio/
	const cases: readonly (readonly [
		name: string,
		query: Record<string, string>,
		encode: readonly string[],
	])[] = [
		["raw.pcm", { format: "pcm" }, ["-f", "s16le", "-ar", "16000"]],
		[
			"phone.pcm",
			{ format: "pcm", field: "call-center" },
			["-f", "s16le", "-ar", "8000"],
		],
		["stereo.wav", { format: "wav" }, ["-ar", "44100", "-ac", "2"]],
		["a.mp3", { format: "mp3" }, []],
		["a.ogg", { format: "opus" }, ["-c:a", "libopus"]],
		["a.webm", { format: "webm" }, ["-c:a", "libopus", "-live", "1"]],
		["u.raw", { format: "mulaw" }, ["-f", "mulaw", "-ar", "8000"]],
		...[4000, 384000].map(
			(rateHz) =>
				[
					`${rateHz}.pcm`,
					{ format: "pcm_s16le", sample_rate: `${rateHz}` },
					["-f", "s16le", "-ar", `${rateHz}`],
				] as const,
		),
		["a.m4a", { format: "m4a" }, []],
	];
	for (const [name, query, encode] of cases) {
		const path = join(folder, name);
		await ffmpegOnce(folder, [
			...["-i", clip, "-ac", "1"],
			...[...encode, path],
		]);
		const transcript = await recognize(query, path);
		const errors = errorPercent([countErrors(wanted, transcript, "en")]);
		const errorsMax = name === "4000.pcm" ? 60 : 15; // a band of 2 kHz has few consonants
		t.ok(
			errors <= errorsMax,
			`${name}: ${errors.toFixed(1)} % from the original`,
		);
	}
	const plain = await recognize(
		{ format: "wav", enable_punctuation_prediction: "false" },
		clip,
	);
	t.notMatch(plain, /[.,?!]/, "no punctuation when it is not wanted");
});

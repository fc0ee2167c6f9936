/** Streaming on a whole appliance, through the client that users have. */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import {
	EarshotClient,
	RefusedError,
	type Result,
	TaskFailedError,
} from "../../runtime/client/earshot-client.js";
import { countErrors, errorPercent } from "../../scripts/benchmarks/scoring.js";
import { clipBytes } from "../audio/clips.js";
import { ffmpegOnce } from "../ffmpeg/encoded.js";
import { eventually } from "../fixtures/eventually.js";
import { RunningAppliance, repository } from "./running-appliance.js";

const clips = join(repository, "test/clips");

interface Spoken {
	readonly file: string;
	readonly lang: "en" | "ja";
	readonly reference: string;
}

const spoken = JSON.parse(
	readFileSync(join(clips, "clips.json"), "utf8"),
) as readonly Spoken[];
const pcmOf = ({ file }: Spoken) => clipBytes(file);
/** Half as long as the others: enough where the text is not what matters. */
const first = spoken.find(({ file }) => file.includes("0880")) as Spoken;

function checkErrorRate(
	t: Test,
	transcript: string,
	reference: string,
	language: "en" | "ja",
	percentMax: number,
): void {
	const percent = errorPercent([countErrors(reference, transcript, language)]);
	t.ok(percent <= percentMax, `${percent.toFixed(1)} % errors: ${transcript}`);
}

async function thrownBy(promise: Promise<unknown>): Promise<unknown> {
	return promise.then(
		() => undefined,
		(error: unknown) => error,
	);
}

t.test("streaming on an appliance with two slots", async (t) => {
	const earshot = await RunningAppliance.start({
		EARSHOT_ENGINE_LIVE_SLOTS: "2",
		EARSHOT_ENGINE_LIVE_SHARE_MAX: "1",
		EARSHOT_ENGINE_QUEUE_MAX: "0",
	});
	t.teardown(() => earshot.dispose());
	const { url, token } = earshot;

	t.test("containers are heard while they arrive", async (t) => {
		const folder = mkdtempSync(join(tmpdir(), "earshot-streams-"));
		t.teardown(() => rmSync(folder, { recursive: true }));
		// each kind of way through the decoding; all others, sample by sample: test/ffmpeg/stream.test.ts
		const cases: readonly (readonly [string, string, readonly string[]])[] = [
			["wav", "a.wav", ["-ar", "44100", "-ac", "2"]],
			["opus", "a.ogg", ["-c:a", "libopus"]],
			["webm", "a.webm", ["-c:a", "libopus", "-live", "1"]],
			["mulaw", "a.ul", ["-f", "mulaw", "-ar", "8000", "-ac", "1"]],
		];
		for (const [format, name, encode] of cases) {
			const path = join(folder, name);
			await ffmpegOnce(folder, [
				...["-i", join(clips, first.file)],
				...[...encode, path],
			]);
			const client = new EarshotClient({ url, token });
			await client.start({ lang_type: first.lang, format });
			const bytes = readFileSync(path);
			for (let at = 0; at < bytes.length; at += 1999)
				await client.send(bytes.subarray(at, at + 1999));
			const { text } = await client.stop();
			checkErrorRate(t, text, first.reference, "en", 20);
		}
	});

	t.test("dictation faster than it can be heard loses nothing", async (t) => {
		const english = ["0880", "0930"].map(
			(it) => spoken.find(({ file }) => file.includes(it)) as Spoken,
		);
		const client = new EarshotClient({
			url,
			token,
			namespace: "SpeechTranscriber",
		});
		const results: Result[] = [];
		const reading = (async () => {
			for await (const result of client) results.push(result);
		})();
		await client.start({ lang_type: "en-US" });
		const references: string[] = [];
		for (const clip of english) {
			await client.send(pcmOf(clip));
			await client.send(new Uint8Array(32_000)); // a second's breath
			references.push(clip.reference);
		}
		await client.stop();
		await reading;
		const sentences = results.filter((it) => it.is === "sentence");
		t.same(
			sentences.map((it) => it.index),
			sentences.map((_, at) => at + 1),
		);
		const begun = results.filter((it) => it.is === "sentence-begin");
		t.equal(begun.length, sentences.length, "each that begins ends");
		const transcript = sentences
			.map((it) => (it.is === "sentence" ? it.text : ""))
			.join(" ");
		checkErrorRate(t, transcript, references.join(" "), "en", 15);
		t.equal(results.at(-1)?.is, "completed");
	});

	t.test("one too many is let in and told so", async (t) => {
		const speakers = [1, 2, 3].map(() => new EarshotClient({ url, token }));
		const errors = await Promise.all(
			speakers.map((it) =>
				thrownBy(it.start({ lang_type: "ja", connect_timeout: 60 })),
			),
		);
		const refused = errors.filter((it) => it !== undefined);
		t.equal(refused.length, 1);
		t.match(refused[0], { status: "100004", retryable: true });
		t.ok(refused[0] instanceof TaskFailedError);
		for (const speaker of speakers) speaker.close();
		await eventually("the slots of those who left", async () => {
			const next = new EarshotClient({ url, token });
			const refusal = await thrownBy(next.start({ lang_type: "ja" }));
			next.close();
			if (refusal !== undefined) throw refusal;
			return true;
		});
	});

	t.test("who may not be here is refused with the envelope", async (t) => {
		const stranger = new EarshotClient({ url, token: "no-such-token" });
		const error = await thrownBy(stranger.start({ lang_type: "ja" }));
		t.ok(error instanceof RefusedError);
		t.match(error, { http: 401, status: "110002" });
	});

	t.test("`listen` says what is heard, in Japanese too", async (t) => {
		for (const clip of [
			first,
			...spoken.filter(({ file }) => /station/.test(file)),
		]) {
			const { stdout } = await earshot.command(
				...["listen", "--url", url, "--token", token, "--speed", "0"],
				...["--lang", clip.lang, "--file", join(clips, clip.file)],
			);
			checkErrorRate(t, stdout, clip.reference, clip.lang, 35);
		}
	});

	t.test("a stop of the server is told, not just done", async (t) => {
		const client = new EarshotClient({ url, token });
		await client.start({ lang_type: "en-US" });
		await client.send(pcmOf(first));
		const stopped = earshot.stop();
		const error = await thrownBy(client.stop());
		t.ok(
			error === undefined || error instanceof TaskFailedError,
			`completed, or told why not: ${error}`,
		);
		t.equal(await stopped, 0);
	});
});

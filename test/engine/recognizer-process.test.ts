/**
 * A copy of the real recognizer in a separate process: its results equal those of one in this process.
 */

import t from "tap";
import { RecognizerProcess } from "../../runtime/engine/child/pool/recognizer-process.js";
import type {
	Hypothesis,
	SegmentRequest,
} from "../../runtime/models/recognizer.js";
import type { Language } from "../../runtime/text/languages.js";
import {
	missing,
	modelDirectory,
	openRecognizer,
	readWav,
} from "../whisper/packages.js";

const skip = missing(modelDirectory);

function request(
	clip: string,
	changes: Partial<SegmentRequest> = {},
): SegmentRequest {
	return {
		samples: readWav(`test/clips/${clip}.wav`),
		language: (clip.startsWith("ja") ? "ja-JP" : "en-US") as Language,
		beam: 3,
		punctuation: true,
		words: true,
		...changes,
	};
}

const hotwordsOf = (...entries: string[]) => ({
	hotwords: { list: { key: entries.join(), entries }, weight: 0.4 },
});

function textOf(result: Hypothesis | "cancelled" | undefined): string {
	return result === undefined || result === "cancelled"
		? `${result}`
		: result.text;
}

t.test(
	"a copy gives the same results: words, marks, and hotwords of each request",
	{ skip },
	async (t) => {
		const copy = new RecognizerProcess({
			modelFolder: modelDirectory,
			threads: 1,
			processor: "cpu",
		});
		await copy.ready;
		const own = await openRecognizer(modelDirectory);
		const rounds = [
			[request("en-librivox-0870"), request("ja-kokoro-weather")],
			[request("en-librivox-0880", hotwordsOf("Dashwud"))],
			[request("en-librivox-0880", hotwordsOf("Dashwud"))],
			[request("en-librivox-0880", hotwordsOf("amyable", "Dashwoood"))],
			[request("en-librivox-0880")],
			[
				request("en-librivox-0880", hotwordsOf("Dashwud")),
				request("en-librivox-0880", hotwordsOf("ill-disposed")),
				request("en-librivox-0880"),
			],
			[request("en-librivox-0880", hotwordsOf("Dashwud"))],
			[],
		];
		let polls = 0;
		for (const requests of rounds) {
			const watched = requests.map((it) => ({
				...it,
				cancelled: () => {
					polls++;
					return false;
				},
			}));
			const found = await copy.recognizeAll(watched);
			const wanted = (await own.recognizeAll?.(requests)) ?? [];
			t.same(found, wanted);
		}
		// over all rounds: a quick one ends before it is polled
		t.ok(polls > 0, "whoever asks sees that it lives");
		await own.close();
		await copy.close();
	},
);

t.test(
	"after a cancelled or failed batch a copy recognizes the next",
	{ skip },
	async (t) => {
		const copy = new RecognizerProcess({
			modelFolder: modelDirectory,
			threads: 1,
			processor: "cpu",
		});
		await copy.ready;
		const clip = request("en-librivox-0890");
		let polls = 0;
		const [left, stayed] = await copy.recognizeAll([
			{ ...clip, cancelled: () => ++polls > 0 },
			clip,
		]);
		t.equal(left, "cancelled");
		t.equal(polls > 0, true);
		t.match(textOf(stayed), /\w+ \w+/);
		const endless = { ...clip, samples: new Float32Array(31 * 16_000) };
		await t.rejects(copy.recognizeAll([endless]), {
			message: "a segment has at most 30 s",
		});
		const [again] = await copy.recognizeAll([clip]);
		t.equal(textOf(again), textOf(stayed));
		await copy.close();
	},
);

t.test("a copy without a model reports that and ends", async (t) => {
	const copy = new RecognizerProcess({
		modelFolder: t.testdir(),
		threads: 1,
		processor: "cpu",
	});
	await t.rejects(copy.ready, { message: /model\.json/ });
});

t.test(
	"a copy that can't open the model of a language is not used",
	{ skip },
	async (t) => {
		const copy = new RecognizerProcess({
			modelFolder: modelDirectory,
			languageFolders: { "ja-JP": `${t.testdir()}/gone` },
			threads: 1,
			processor: "cpu",
		});
		await t.rejects(copy.ready, { message: /gone: there is no folder/ });
		t.ok(copy.hasEnded);
		await t.rejects(copy.recognizeAll([]), { message: /died/ });
	},
);

t.test(
	"requests to a copy that dies or hangs are rejected",
	{ skip },
	async (t) => {
		const settings = {
			modelFolder: modelDirectory,
			threads: 1,
			processor: "cpu",
		} as const;
		const clip = request("en-librivox-0890");
		for (const signal of ["SIGKILL", "SIGSTOP"] as const) {
			const copy = new RecognizerProcess(settings, {
				// one that was killed says nothing either
				silentMsMax: signal === "SIGSTOP" ? 500 : 600_000,
			});
			await copy.ready;
			let isHit = false;
			const hit = () => {
				if (!isHit) process.kill(copy.pid ?? 0, signal);
				isHit = true;
				return false;
			};
			const answer = copy.recognizeAll([{ ...clip, cancelled: hit }]);
			// before its first word: how long that takes depends on the machine
			if (signal === "SIGSTOP") hit();
			await t.rejects(answer, {
				message: "a copy of the recognizer died: signal SIGKILL",
			});
			t.ok(isHit && copy.hasEnded);
			await t.rejects(copy.recognizeAll([clip]), { message: /died/ });
			await copy.close();
		}
	},
);

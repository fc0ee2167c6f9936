/**
 * earshot as a contender: the real server with the stated number of threads, asked over HTTP, so that everything a user pays for is in the time
 * (voice activity, segmentation, punctuation, two processes, HTTP), while the peers are called inside their own process. Speaks the worker protocol.
 * Usage: earshot-worker.js THREADS    EARSHOT_BENCH_OPTIONS: further query options of a request, a=b&c=d
 */
import { langTypes } from "./clips.js";
import type { ScoredLanguage } from "./scoring.js";
import { expectWords, withServer } from "./server.js";
import { readWav } from "./wav.js";
import { answerRequests } from "./worker-protocol.js";

const [threads = "2"] = process.argv.slice(2);

/** References hold what was said: fillers are wanted, and numbers as they fell. */
const options = {
	enable_modal_particle_filter: "false",
	enable_inverse_text_normalization: "false",
	...Object.fromEntries(
		new URLSearchParams(process.env.EARSHOT_BENCH_OPTIONS ?? ""),
	),
};

await withServer({ EARSHOT_ENGINE_THREADS: threads }, (server) =>
	answerRequests("earshot", async ({ path, language }) => {
		const { text, seconds } = expectWords(
			await server.recognize(
				readWav(path),
				langTypes[language as ScoredLanguage],
				options,
			),
		);
		return { text, seconds };
	}),
);

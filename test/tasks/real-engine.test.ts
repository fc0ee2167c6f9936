/** Real speech, the real engine: once without interruption, and once with its engine killed on the way. */
import t from "tap";
import type { JobLane } from "../../runtime/engine/remote-job.js";
import { clipBytes } from "../audio/clips.js";
import { pcmWav } from "../audio/wav-bytes.js";
import { realLane, skipped } from "../engine/real-lane.js";
import { runningTasks } from "./running-tasks.js";

/** A long sentence, and many short ones. */
const names = ["0870", ...Array<string[]>(3).fill(["0880", "0930"]).flat()];

function speech(): Buffer {
	const pause = Buffer.alloc(2 * 16_000);
	const pieces = names.flatMap((name) => [
		clipBytes(`en-librivox-${name}.wav`),
		pause,
	]);
	return Buffer.concat(pieces);
}

/** A lane whose engine is killed when it sends the `count`th event of a kind in one of its jobs. */
function deadly(
	{ lane, supervisor }: ReturnType<typeof realLane>,
	kills: readonly { is: "trying" | "heard"; count: number }[],
): JobLane {
	let jobs = 0;
	return {
		openJob: async (wanted, signal) => {
			const job = await lane.openJob(wanted, signal);
			const engine = await supervisor.engine();
			const kill = kills[jobs++];
			async function* watched() {
				let seen = 0;
				for await (const event of job.events) {
					if (event.is === kill?.is && ++seen === kill.count)
						process.kill(engine.pid ?? 0, "SIGKILL");
					yield event;
				}
			}
			return { events: watched(), cancel: () => job.cancel() };
		},
	};
}

t.test(
	"engines killed on the way change nothing",
	{ skip: skipped },
	async (t) => {
		const real = realLane(t, "batch", ["engine.batch_recognizers=1"]);
		const lane = deadly(real, [
			{ is: "heard", count: 1000 }, // the first job is not disturbed
			{ is: "trying", count: 1 },
			{ is: "heard", count: 2 },
		]);
		const { submitAudio, finished, tasks } = await runningTasks(t, { lane });
		const pcm = speech();
		const audioMs = pcm.length / 32;
		const wav = pcmWav(pcm);
		const whole = await submitAudio(wav, audioMs, { words: true });
		const killed = await submitAudio(wav, audioMs, { words: true });
		const view = await finished(whole);
		t.match(view, { state: "completed", audioMs: Math.round(audioMs) });
		t.match(await finished(killed), { state: "completed", notes: [] });
		t.equal(real.supervisor.state.deaths, 2, `${real.complaints}`);
		const segments = [...(tasks.result(whole)?.segments() ?? [])];
		t.ok(segments.length >= 6, `${segments.length} segments`);
		t.match(segments[0]?.transcript, /John Dashwood/i);
		t.same([...(tasks.result(killed)?.segments() ?? [])], segments);
		t.match(tasks.result(killed)?.statistics, { word_count: Number });
	},
);

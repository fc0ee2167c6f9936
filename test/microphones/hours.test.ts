/** A quarter of an hour of a microphone, time-compressed; `scripts/bench microphones --only day` runs a whole day and measures memory. */
import t from "tap";
import { microphoneSection } from "../../runtime/config/sections/microphone.js";
import { readTable } from "../../runtime/config/tables.js";
import { recognitionOptions } from "../../runtime/microphones/from-config.js";
import {
	feedStartMs,
	rateHz,
	transcribeHours,
} from "../../scripts/benchmarks/microphones/hours.js";
import { timesOff } from "../../scripts/benchmarks/microphones/times-off.js";
import { ownClipFolder, readClip } from "../audio/clips.js";
import { listeningLog } from "../engine/fake-lane.js";
import { realLane, skipped } from "../engine/real-lane.js";
import { alsaMissing } from "./alsa.js";

const seconds = Number(process.env.EARSHOT_TEST_HOURS ?? 0.05) * 3600;

t.test(
	"nothing is lost over a long time, and every event has the right time",
	{ skip: alsaMissing || skipped },
	async (t) => {
		const { lane, supervisor } = realLane(t);
		supervisor.start();
		await supervisor.engine();
		const clip = await readClip("en-librivox-0930.wav", ownClipFolder);
		const samples = Int16Array.from(clip, (it) => Math.round(it * 32767));
		const spoken = [30.3, seconds / 2 + 0.77, seconds - 30].map(
			(atSeconds) => ({
				atSeconds,
				samples,
			}),
		);
		const run = await transcribeHours({
			folder: t.testdir(),
			seconds,
			spoken,
			lane,
			pollSeconds: seconds,
			options: recognitionOptions(
				readTable("microphone", microphoneSection, "here", { id: "long" }),
				"en-US",
			),
			log: listeningLog(() => {}),
			onPoll: () => {},
		});
		t.same(run.deaths, []);
		t.equal(run.samples, seconds * rateHz);
		t.match(run.stats, { lostSeconds: 0, xruns: 0, reconnects: 0 });
		t.equal(run.recognitions, 1);
		const off = timesOff(spoken, run.finals, { rateHz, startMs: feedStartMs });
		t.match(off, { unrecognized: 0, spurious: 0 });
		// a begin may be a few voice activity windows early or late; lost samples would add up
		t.ok(off.offMsMax < 300, `${off.offMsMax} ms`);
		t.equal(run.finals.length, spoken.length);
	},
);

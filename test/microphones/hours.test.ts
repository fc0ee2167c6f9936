/** A quarter of an hour of a microphone, time-compressed; `scripts/bench microphones --only day` runs a whole day and measures memory. */
import t from "tap";
import { microphoneSection } from "../../runtime/config/sections/microphone.js";
import { readTable } from "../../runtime/config/tables.js";
import { recognitionOptions } from "../../runtime/microphones/from-config.js";
import {
	feedStartMs,
	hearHours,
	rateHz,
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
		const said = [30.3, seconds / 2 + 0.77, seconds - 30].map((atSeconds) => ({
			atSeconds,
			samples,
		}));
		const heard = await hearHours({
			...{ folder: t.testdir(), seconds, said, lane, lookSeconds: seconds },
			options: recognitionOptions(
				readTable("microphone", microphoneSection, "here", { id: "long" }),
				"en-US",
			),
			log: listeningLog(() => {}),
			onLook: () => {},
		});
		t.same(heard.deaths, []);
		t.equal(heard.samples, seconds * rateHz);
		t.match(heard.figures, { lostSeconds: 0, xruns: 0, reconnects: 0 });
		t.equal(heard.recognitions, 1);
		const off = timesOff(said, heard.finals, { rateHz, startMs: feedStartMs });
		t.match(off, { unheard: 0, unsaid: 0 });
		// a begin may be a few voice activity windows early or late; lost samples would add up
		t.ok(off.offMsMax < 300, `${off.offMsMax} ms`);
		t.equal(heard.finals.length, said.length);
	},
);

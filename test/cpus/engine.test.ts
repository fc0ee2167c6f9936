/** The real engine on some of the cores. */
import { readdirSync, readFileSync } from "node:fs";
import t from "tap";
import { allowedCpus } from "../../drivers/cpus/affinity.js";
import { textOf } from "../engine/fake-lane.js";
import {
	missing,
	probeClip,
	realLane,
	skipped,
	transcribe,
} from "../engine/real-lane.js";
import { eventually } from "../fixtures/eventually.js";

t.test(
	"an engine runs on the cores that are configured",
	{
		skip: skipped,
	},
	async (t) => {
		const allowed = allowedCpus();
		const [last = 0] = allowed.slice(-1);
		const { lane, supervisor } = realLane(t, "live", [
			`engine.cores=${last}`,
			"engine.threads=2",
		]);
		const { pid } = await supervisor.engine();
		const { bytes, words } = probeClip();
		t.same(missing(textOf(await transcribe(lane, bytes)), words), []);
		t.equal(listOf(`/proc/${pid}`), String(last));
		t.equal(
			supervisor.state.identity?.threads,
			allowed.length > 1 ? 1 : 2,
			"not more threads than cores",
		);
		const elsewhere = readdirSync(`/proc/${pid}/task`).filter(
			(thread) => listOf(`/proc/${pid}/task/${thread}`) !== String(last),
		);
		t.comment(`${elsewhere.length} threads of Node run elsewhere`);
	},
);

t.test(
	"cores that the machine lacks are refused with a sentence",
	async (t) => {
		const { supervisor } = realLane(t, "live", ["engine.cores=1000-1023"]);
		supervisor.start();
		await eventually("its death", () => supervisor.state.deaths > 0, {
			seen: () => supervisor.state,
		});
		t.match(supervisor.state.lastDeath, /engine\.cores is 1000-1023, but/);
	},
);

const listOf = (folder: string) =>
	/^Cpus_allowed_list:\s*(\S+)$/m.exec(
		readFileSync(`${folder}/status`, "utf8"),
	)?.[1];

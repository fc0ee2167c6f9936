import t from "tap";
import type { FileEvent } from "../../runtime/engine/file-job.js";
import { EngineLost } from "../../runtime/engine/remote-job.js";
import type { SharingPort } from "../../runtime/fleet/sharing/sharing-port.js";
import { PlayedSharing } from "./played-sharing.js";
import { PlayedSite, type SentMessage } from "./played-site.js";

const done: FileEvent = { is: "done", audioMs: 60_000 };

async function* transcribed(): AsyncGenerator<FileEvent> {
	yield done;
}

/** A device with one waiting file, and an idle one that transcribes at once. */
async function ownerAndWorker(
	t: Parameters<typeof PlayedSite.during>[0],
	changes: Partial<SharingPort> = {},
) {
	const site = PlayedSite.during(t);
	const owner = new PlayedSharing();
	const worker = new PlayedSharing();
	const jobs: string[] = [];
	const sharing = await site.join("owner", {
		...owner.port,
		lend: (id, lane) => {
			owner.wait();
			return owner.port.lend(id, lane);
		},
	});
	const working = await site.join("worker", {
		...worker.port,
		slots: 1,
		lane: {
			openJob: async (job) => {
				jobs.push(job.is);
				return { events: transcribed(), cancel: () => {} };
			},
		},
		...changes,
	});
	owner.wait("task");
	return { site, owner, jobs, sharing, working };
}

/** The first of its kind is lost. */
function losing(is: (message: SentMessage) => boolean) {
	let isDone = false;
	return (message: SentMessage) => {
		if (isDone || !is(message)) return false;
		isDone = true;
		return true;
	};
}

/** A lease of 20 s, and some. */
const endSeconds = 60;

t.test("a lost message between devices holds up no file", async (t) => {
	const lost: Readonly<Record<string, (it: SentMessage) => boolean>> = {
		"the end of a job": (it) => it.event?.is === "done",
		"a job": (it) => it.is === "job",
	};
	for (const [what, is] of Object.entries(lost))
		await t.test(what, async (t) => {
			const { site, owner, sharing, working } = await ownerAndWorker(t);
			site.isLost = losing(is);
			let error: Error | undefined;
			let isOver = false;
			const hasRun = await site.within(5, () => owner.runs.has("task"));
			t.ok(hasRun, "it was lent");
			void owner.runs.get("task")?.ended.then((it) => {
				error = it;
				isOver = true;
			});
			t.ok(await site.within(endSeconds, () => isOver), "its run ended");
			t.ok(error instanceof EngineLost && error.requested, "and is repeated");
			await site.pass(1);
			t.match(sharing.stats, { lent: 0, given: 1, lost: 1 });
			t.match(working.stats, { borrowed: 0, taken: 1 }, "a slot is free again");
		});

	await t.test("that the device has the audio", async (t) => {
		const { site, owner, jobs, sharing } = await ownerAndWorker(t);
		site.isLost = losing((it) => it.is === "ready");
		const isLent = await site.within(endSeconds, () => owner.runs.has("task"));
		t.ok(isLent);
		t.equal(await owner.runs.get("task")?.ended, undefined, "it was finished");
		t.same(jobs, ["hear"], "once");
		await site.pass(1);
		t.match(sharing.stats, { lent: 0, given: 1, lost: 0 });
	});

	await t.test("but one that arrives twice changes nothing", async (t) => {
		const site = PlayedSite.during(t);
		const owner = new PlayedSharing();
		const sharing = await site.join("owner", owner.port);
		const worker = await site.join("worker", new PlayedSharing().port);
		const tick = () => sharing.stats.lent === 1;
		site.repeats = ({ is }) => is === "ready" || is === "job";
		owner.wait("task");
		t.ok(await site.within(5, tick), "it is lent");
		await site.pass(endSeconds);
		t.match(sharing.stats, { lent: 1, lost: 0 });
		t.match(worker.stats, { borrowed: 1 });
	});
});

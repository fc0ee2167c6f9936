import t from "tap";
import type { FileEvent } from "../../runtime/engine/file-job.js";
import { EngineLost } from "../../runtime/engine/remote-job.js";
import type {
	BorrowedFile,
	SharingPort,
} from "../../runtime/fleet/sharing/sharing-port.js";
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

t.test("a device whose file waits no longer reads offers", async (t) => {
	const site = PlayedSite.during(t);
	site.reachesOwn = true;
	const owner = new PlayedSharing();
	let unfinished = 0;
	await site.join("owner", { ...owner.port, unfinished: () => unfinished });
	await site.join("worker", new PlayedSharing().port);
	unfinished = 2;
	owner.wait("task");
	t.ok(await site.within(1, () => owner.runs.has("task")), "not its own");
});

const downloaded: BorrowedFile = {
	path: "/nowhere",
	bytes: 1000,
	discard: async () => {},
};

/** A download that takes that long, or until it is in vain. */
function downloadOf(seconds: number, onFetch: () => void = () => {}) {
	return (_url: string, _bytes: number, signal: AbortSignal) => {
		onFetch();
		return new Promise<BorrowedFile>((resolve, reject) => {
			const timer = setTimeout(() => resolve(downloaded), seconds * 1000);
			signal.addEventListener("abort", () => {
				clearTimeout(timer);
				reject(signal.reason);
			});
		});
	};
}

t.test("the audio is on its way", async (t) => {
	const warningsOf = (site: PlayedSite) =>
		site.log.filter((it) => it.device === "owner" && it.level === "warn");

	await t.test("for longer than a lease", async (t) => {
		let fetches = 0;
		const fetch = downloadOf(60, () => fetches++);
		const { site, owner, sharing } = await ownerAndWorker(t, { fetch });
		await site.within(600, () => owner.runs.has("task"));
		t.equal(fetches, 1);
		t.equal(await owner.runs.get("task")?.ended, undefined, "it was finished");
		await site.pass(1);
		t.match(sharing.stats, { lent: 0, given: 1, lost: 0 });
		t.same(warningsOf(site), []);
	});

	await t.test("and can't be fetched", async (t) => {
		let fetches = 0;
		let isReachable = false;
		const fetch = async () => {
			fetches++;
			if (isReachable) return downloaded;
			throw new Error("no such network");
		};
		const { site, owner, working } = await ownerAndWorker(t, { fetch });
		await site.pass(40);
		t.equal(fetches, 6, "after pauses of 1, 2, 4, 8 and 16 s");
		t.match(warningsOf(site), [
			{ fields: { device: "worker" }, message: /no audio/ },
		]);
		t.equal(warningsOf(site).length, 1, "it is logged once");
		isReachable = true;
		t.ok(await site.within(60, () => owner.runs.has("task")), "until it can");
		t.match(working.stats, { taken: 7 });
	});

	await t.test("for ever", async (t) => {
		const fetch = downloadOf(1e6);
		const { site, working } = await ownerAndWorker(t, { fetch });
		const isTaken = () => working.stats.borrowed === 1;
		t.ok(await site.within(5, isTaken));
		await site.pass(600);
		t.ok(isTaken(), "ten minutes, and the length of the file, are given");
		t.ok(await site.within(70, () => !isTaken()), "and no more");
		t.match(warningsOf(site), [{ fields: { why: /takes too long/ } }]);
	});

	await t.test("when its turn comes at home", async (t) => {
		const fetch = downloadOf(60);
		const { site, owner, working } = await ownerAndWorker(t, { fetch });
		t.ok(await site.within(5, () => working.stats.borrowed === 1));
		owner.wait();
		await site.pass(1);
		t.match(working.stats, { borrowed: 0 }, "it is not fetched to the end");
		t.same(warningsOf(site), []);
	});

	await t.test("to a device that was cut off", async (t) => {
		const fetch = downloadOf(60);
		const { site, working } = await ownerAndWorker(t, { fetch });
		t.ok(await site.within(5, () => working.stats.borrowed === 1));
		site.isLost = () => true;
		await site.pass(25);
		t.match(working.stats, { borrowed: 0 }, "it fetches in vain no longer");
		t.match(warningsOf(site), [{ fields: { why: /no longer responds/ } }]);
		const offered = site.sent.filter((it) => it.is === "offer").length;
		await site.pass(5);
		t.ok(site.sent.filter((it) => it.is === "offer").length > offered);
	});
});

import { mock } from "node:test";
import t from "tap";
import type { JobLane, JobRequest } from "../../runtime/engine/remote-job.js";
import type { BrokerConnection } from "../../runtime/fleet/broker/connection.js";
import type { JobMessage } from "../../runtime/fleet/payloads/jobs.js";
import {
	JobMessageSender,
	type OutgoingJobMessage,
} from "../../runtime/fleet/sharing/job-message-sender.js";
import { Lease, type LeaseEnd } from "../../runtime/fleet/sharing/lease.js";
import { Lender } from "../../runtime/fleet/sharing/lender.js";
import type { SharingPort } from "../../runtime/fleet/sharing/sharing-port.js";
import { Topics } from "../../runtime/fleet/topics.js";
import { listeningLog } from "../engine/fake-lane.js";
import { eventually } from "../fixtures/eventually.js";
import { recognitionRequest } from "./played-sharing.js";

async function* nothing(): AsyncGenerator<never> {}

/** A device with one waiting file, on a shelf that answers on command. */
function waitingFile(nowMs = () => performance.now()) {
	const offers: { offer: string; audio_ms: number }[] = [];
	const sent: OutgoingJobMessage[] = [];
	const lent: JobLane[] = [];
	const ownJobs: JobRequest[] = [];
	let answer: (bytes: number | undefined) => void = () => {};
	let emitWaiting: (ids: readonly string[]) => void = () => {};
	const appliance = {
		modelOf: () => "m",
		onWaiting: (listener: typeof emitWaiting) => {
			emitWaiting = listener;
		},
		shareable: (task: string) => ({
			language: "en",
			audioId: task,
			audioMs: task === "other" ? 2000 : 1000,
		}),
		audioBytes: () =>
			new Promise<number | undefined>((resolve) => {
				answer = resolve;
			}),
		audioUrl: () => "http://here/a",
		lend: (_id: string, lane: JobLane) => {
			lent.push(lane);
			return new Promise(() => {});
		},
		lane: {
			openJob: async (job: JobRequest) => {
				ownJobs.push(job);
				return { events: nothing(), cancel: () => {} };
			},
		},
	} as unknown as SharingPort;
	const topics = new Topics("site", "here");
	const connection = {
		publish: async ({ topic, payload }: { topic: string; payload: string }) => {
			if (topic === topics.offers) offers.push(JSON.parse(payload));
			else sent.push(JSON.parse(payload));
			return { is: "accepted", reached: true };
		},
	} as unknown as BrokerConnection;
	const lender = new Lender({
		onWaiting: () => {},
		nowMs,
		appliance,
		topics,
		leaseMs: 60_000,
		connection: () => connection,
		sender: new JobMessageSender({
			device: "here",
			topics,
			connection: () => connection,
		}),
		log: listeningLog(() => {}),
	});
	const accept = async () => {
		emitWaiting(["task"]);
		await eventually("an offer", () => offers.length > 0);
		const { offer = "" } = offers[0] ?? {};
		lender.onMessage({ is: "accept", offer, from: "there" } as JobMessage);
	};
	return {
		lender,
		offers,
		sent,
		lent,
		ownJobs,
		accept,
		emitWaiting: (...tasks: readonly string[]) => emitWaiting(tasks),
		answer: (bytes?: number) => answer(bytes),
	};
}

t.test("a file that is being granted is not offered to others", async (t) => {
	const { lender, offers, sent, accept, emitWaiting, answer } = waitingFile();
	t.teardown(() => lender.stop());
	await accept();
	emitWaiting("task", "other");
	await eventually("the offer of the other one", () => offers.length > 1);
	t.same(
		offers.map((it) => it.audio_ms),
		[1000, 2000],
	);
	answer(1000);
	await eventually("a message about it", () => sent.length > 0);
	t.match(sent, [{ is: "grant", bytes: 1000 }]);
});

t.test(
	"a file without audio is reported gone, and offered again",
	async (t) => {
		const { lender, offers, sent, accept, emitWaiting, answer } = waitingFile();
		t.teardown(() => lender.stop());
		await accept();
		answer();
		await eventually("a message about it", () => sent.length > 0);
		t.match(sent, [{ is: "gone" }]);
		emitWaiting("task");
		await eventually("the second offer", () => offers.length > 1);
	},
);

t.test("a file that nobody takes is offered less and less often", async (t) => {
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	let nowMs = 0;
	const { lender, offers, emitWaiting } = waitingFile(() => nowMs);
	t.teardown(() => lender.stop());
	let answered = 0;
	/** @returns how many were made in that time, all of them declined. */
	const offersWithin = async (seconds: number) => {
		const before = answered;
		for (let ms = 0; ms < 1000 * seconds; ms += 20) {
			nowMs += 20;
			mock.timers.tick(20);
			await new Promise((turn) => setImmediate(turn));
			for (; answered < offers.length; answered++) {
				const { offer = "" } = offers[answered] ?? {};
				lender.onMessage({ is: "decline", offer, from: "busy" } as JobMessage);
			}
		}
		return answered - before;
	};
	emitWaiting("task");
	t.equal(await offersWithin(5), 10, "a device may be free in a moment");
	await offersWithin(55);
	t.equal(await offersWithin(60), 6);
	emitWaiting("task", "other");
	t.ok((await offersWithin(2)) > 4, "something has changed");
});

t.test("nothing is granted after the end", async (t) => {
	const { lender, sent, accept, answer } = waitingFile();
	await accept();
	lender.stop();
	answer(1000);
	await new Promise((turn) => setImmediate(turn)); // all remaining work is done by then
	t.same(sent, []);
});

t.test(
	"a job that is too large to send waits for a slot of its owner",
	async (t) => {
		const { lender, sent, lent, ownJobs, accept, answer } = waitingFile();
		t.teardown(() => lender.stop());
		await accept();
		answer(1000);
		const granted = () => sent.find((it) => it.is === "grant");
		const { lease = "" } = (await eventually("a grant", granted)) as {
			lease?: string;
		};
		lender.onMessage({ is: "ready", lease, from: "there" } as JobMessage);
		const entries = Array.from(
			{ length: 20_000 },
			(_, i) => `wrong ${i},right`,
		);
		const corrections = [{ key: "k", entries }];
		const large = {
			...recognitionRequest,
			options: { ...recognitionRequest.options, corrections },
		};
		const job = await lent[0]?.openJob(large);
		const events = job?.events[Symbol.asyncIterator]();
		const end = await events?.next().catch((error: Error) => error);
		t.match(end, { name: "EngineLost", requested: true }, "as at a stop");
		t.same(ownJobs, []);
		t.match(lender.stats, { lent: 0, lost: 1 });
		const ended = () => sent.some((it) => it.is === "end");
		await eventually("the other device to be free", ended);
	},
);

t.test("a lease ends even if its worker stays alive", async (t) => {
	mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
	t.teardown(() => mock.timers.reset());
	const ends: LeaseEnd[] = [];
	const lease = new Lease({
		id: "lease",
		taskId: "task",
		audioMs: 30_000,
		worker: "there",
		leaseMs: 20_000,
		sender: { send: async () => {} } as unknown as JobMessageSender,
		onEnd: (end) => ends.push(end),
	});
	const liveMs = 600_000 + 20 * 30_000;
	for (let ms = 0; ms < liveMs; ms += 10_000) {
		t.same(ends, []);
		lease.keepAlive();
		mock.timers.tick(10_000);
	}
	t.match(ends, [{ is: "lost", why: /takes too long/, isOurs: false }]);
});

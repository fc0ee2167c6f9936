import { setTimeout as pause } from "node:timers/promises";
import t from "tap";
import type { BrokerConnection } from "../../runtime/fleet/broker/connection.js";
import type { JobMessage } from "../../runtime/fleet/payloads/jobs.js";
import { Lender } from "../../runtime/fleet/sharing/lender.js";
import { Post, type Saying } from "../../runtime/fleet/sharing/post.js";
import type { SharingHouse } from "../../runtime/fleet/sharing/sharing-port.js";
import { Topics } from "../../runtime/fleet/topics.js";
import { listeningLog } from "../engine/fake-lane.js";

/** A device with one file that waits, on a shelf that answers when it is told to. */
function waitingFile() {
	const offers: { offer: string }[] = [];
	const said: Saying[] = [];
	let answer: (bytes: number | undefined) => void = () => {};
	let tellWaiting: (ids: readonly string[]) => void = () => {};
	const house = {
		model: "m",
		onWaiting: (listener: typeof tellWaiting) => {
			tellWaiting = listener;
		},
		shareable: () => ({ language: "en", audioId: "a", audioMs: 1000 }),
		audioBytes: () =>
			new Promise<number | undefined>((resolve) => {
				answer = resolve;
			}),
		audioUrl: () => "http://here/a",
	} as unknown as SharingHouse;
	const topics = new Topics("site", "here");
	const connection = {
		publish: async ({ topic, payload }: { topic: string; payload: string }) => {
			if (topic === topics.offers) offers.push(JSON.parse(payload));
			else said.push(JSON.parse(payload));
			return { is: "accepted", reached: true };
		},
	} as unknown as BrokerConnection;
	const lender = new Lender({
		...{ house, topics, leaseMs: 60_000 },
		connection: () => connection,
		post: new Post({ device: "here", topics, connection: () => connection }),
		log: listeningLog(() => {}),
	});
	const accept = async () => {
		tellWaiting(["task"]);
		while (offers.length === 0) await pause(5);
		const { offer = "" } = offers[0] ?? {};
		lender.accept({ is: "accept", offer, from: "there" } as JobMessage);
	};
	return {
		...{ lender, offers, said, accept },
		tellWaiting: () => tellWaiting(["task"]),
		answer: (bytes?: number) => answer(bytes),
	};
}

t.test("a file that is being granted is offered to nobody else", async (t) => {
	const { lender, offers, said, accept, tellWaiting, answer } = waitingFile();
	t.teardown(() => lender.stop());
	await accept();
	tellWaiting();
	await pause(200); // ten times what offers are gathered for
	t.equal(offers.length, 1);
	answer(1000);
	while (said.length === 0) await pause(5);
	t.match(said, [{ is: "grant", bytes: 1000 }]);
});

t.test(
	"one whose audio is gone is said to be, and offered again",
	async (t) => {
		const { lender, offers, said, accept, tellWaiting, answer } = waitingFile();
		t.teardown(() => lender.stop());
		await accept();
		answer();
		while (said.length === 0) await pause(5);
		t.match(said, [{ is: "gone" }]);
		tellWaiting();
		while (offers.length < 2) await pause(5);
	},
);

t.test("nothing is granted after the end", async (t) => {
	const { lender, said, accept, answer } = waitingFile();
	await accept();
	lender.stop();
	answer(1000);
	await pause(50);
	t.same(said, []);
});

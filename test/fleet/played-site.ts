/** Devices that share files, at a broker without a network: messages arrive at once, or are lost as at a broker whose receiver is just reconnecting. Time is the test's. */
import { mock } from "node:test";
import type { Test } from "tap";
import type { BrokerConnection } from "../../runtime/fleet/broker/connection.js";
import { Sharing } from "../../runtime/fleet/sharing/sharing.js";
import type { SharingPort } from "../../runtime/fleet/sharing/sharing-port.js";
import { Topics } from "../../runtime/fleet/topics.js";
import { type LogLine, listeningLog } from "../engine/fake-lane.js";

export interface SentMessage {
	readonly is: string;
	readonly from: string;
	readonly to: string;
	readonly event?: { readonly is: string };
}

const stepMs = 500;

export class PlayedSite {
	readonly sent: SentMessage[] = [];
	readonly log: (LogLine & { readonly device: string })[] = [];
	/** Acknowledged by the broker, and never delivered. */
	isLost: (message: SentMessage) => boolean = () => false;
	/** Delivered twice, as after a connection that broke before the broker's acknowledgement. */
	repeats: (message: SentMessage) => boolean = () => false;
	/** Offers also reach the device that makes them, if it reads offers. */
	reachesOwn = false;
	readonly #devices = new Map<string, Sharing>();
	readonly #readers = new Set<string>();
	#nowMs = 0;

	static during(t: Pick<Test, "teardown">): PlayedSite {
		const site = new PlayedSite();
		mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
		const clock = mock.method(performance, "now", () => site.#nowMs);
		t.teardown(() => {
			for (const device of site.#devices.values()) device.stop();
			clock.mock.restore();
			mock.timers.reset();
		});
		return site;
	}

	async join(device: string, appliance: SharingPort): Promise<Sharing> {
		const topics = new Topics("hq", device);
		const connection = this.#connectionOf(device, topics);
		const sharing = new Sharing({
			appliance,
			device,
			topics,
			leaseSeconds: 20,
			connection: () => connection,
			log: listeningLog((line) => this.log.push({ ...line, device })),
		});
		this.#devices.set(device, sharing);
		sharing.start();
		await sharing.use(connection);
		return sharing;
	}

	/** @returns whether it came to pass within that time. */
	async within(seconds: number, is: () => boolean): Promise<boolean> {
		for (let ms = 0; ms < seconds * 1000 && !is(); ms += stepMs) {
			this.#nowMs += stepMs;
			mock.timers.tick(stepMs);
			for (let turns = 0; turns < 5; turns++)
				await new Promise((turn) => setImmediate(turn));
		}
		return is();
	}

	async pass(seconds: number): Promise<void> {
		await this.within(seconds, () => false);
	}

	#connectionOf(device: string, topics: Topics): BrokerConnection {
		const connection = {
			publish: async ({ topic, payload }: { topic: string; payload: string }) =>
				this.#publish(device, topics, topic, payload),
			subscribe: async (filter: string) => {
				if (filter === topics.sharedOffers) this.#readers.add(device);
			},
			unsubscribe: async () => this.#readers.delete(device),
		};
		return connection as unknown as BrokerConnection;
	}

	#publish(from: string, topics: Topics, topic: string, payload: string) {
		const isOffer = topic === topics.offers;
		const receivers = [...this.#devices.keys()].filter((it) =>
			isOffer
				? this.#readers.has(it) && (this.reachesOwn || it !== from)
				: topic === topics.inboxOf(it),
		);
		const [to] = receivers; // an offer reaches one of them
		if (to === undefined) return { is: "accepted", reached: false };
		const message = { ...JSON.parse(payload), from, to };
		this.sent.push(message);
		const times = this.isLost(message) ? 0 : this.repeats(message) ? 2 : 1;
		for (let i = 0; i < times; i++)
			this.#devices.get(to)?.onMessage({
				topic,
				payload: Buffer.from(payload),
				retained: false,
				isRedelivered: false,
			});
		return { is: "accepted", reached: true };
	}
}

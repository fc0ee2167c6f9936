/**
 * A broker that is killed repeatedly while microphones send sentences. Its subscriber reads with quality of service 0: a broker sends such a message to the
 * network before it acknowledges it, so that missing messages were lost by us and not by the broker.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { FleetStats } from "../../runtime/fleet/reporter.js";
import { Broker } from "./broker.js";
import { Gate } from "./gate.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const microphones = ["front", "back", "hall"];

export interface Kills {
	/** When each kill happens: the share of the sentences since the previous one that was delivered. */
	readonly deliveredBefore: readonly number[];
	/** Sentences between two kills. */
	readonly sentences: number;
	/** Sent at once, in one turn of the event loop. */
	readonly burst: number;
}

export interface KillsResult {
	readonly sent: number;
	readonly lost: readonly number[];
	readonly twice: number;
	readonly disorder: readonly string[];
	readonly outbox: FleetStats["outbox"];
}

export async function killAgainAndAgain(
	folder: string,
	{ deliveredBefore, sentences, burst }: Kills,
): Promise<KillsResult> {
	const broker = await Broker.start(folder);
	const gate = await Gate.start(broker.port);
	const running = await RunningFleet.start({ url: gate.url });
	const seen = new Seen();
	let sent = 0;
	const delivered = () => running.fleet.stats.outbox.delivered;
	try {
		for (const share of deliveredBefore) {
			const listener = await listen(broker, seen);
			gate.isOpen = true;
			const killAt = delivered() + Math.floor(share * sentences);
			for (let i = 0; i < sentences; i++) {
				running.played.emitText(`${sent}`, microphones[sent % 3]);
				if (++sent % burst === 0) await pause(1);
			}
			await running.until(() => delivered() >= killAt);
			// everything in the network arrives before its end
			const end = new Promise<void>((ended) =>
				listener.client.once("close", ended),
			);
			await broker.kill();
			gate.shut();
			await end;
			await listener.close();
			await broker.startAgain();
		}
		const listener = await listen(broker, seen);
		gate.isOpen = true;
		await running.until(() => running.fleet.stats.outbox.waiting === 0);
		await listener.publish(lastTopic, "");
		await listener.until((it) => it.topic === lastTopic);
		await listener.close();
		const { outbox } = running.fleet.stats;
		return { sent, ...seen.against(sent), outbox };
	} finally {
		await running.dispose();
		await gate.close();
		await broker.kill();
	}
}

/** Messages on it arrive after everything acknowledged before. */
const lastTopic = "test/last";

class Seen {
	readonly #times = new Map<number, number>();
	readonly #newest = new Map<string, number>();
	readonly #disorder: string[] = [];

	note(payload: string): void {
		const { microphone, text } = JSON.parse(payload);
		const number = Number(text);
		this.#times.set(number, (this.#times.get(number) ?? 0) + 1);
		// the one in flight may arrive twice, nothing else
		const last = this.#newest.get(microphone) ?? -1;
		if (number < last)
			this.#disorder.push(`${microphone}: ${number} after ${last}`);
		this.#newest.set(microphone, number);
	}

	against(sent: number) {
		const all = Array.from({ length: sent }, (_, i) => i);
		return {
			lost: all.filter((it) => !this.#times.has(it)),
			twice: [...this.#times.values()].filter((it) => it > 1).length,
			disorder: this.#disorder,
		};
	}
}

async function listen(broker: Broker, seen: Seen): Promise<Listener> {
	const listener = await Listener.open(broker.url, [], { reconnectPeriod: 0 });
	listener.client.on("message", (topic, payload) => {
		if (topic !== lastTopic) seen.note(payload.toString());
	});
	const topics = ["earshot/hq/+/events/final", lastTopic];
	await listener.client.subscribeAsync(topics, { qos: 0 });
	return listener;
}

/**
 * A broker that is killed again and again while microphones hear. Its subscriber reads with quality of service 0: a broker hands such a message to the
 * network before it acknowledges it, so that what is missing at the end was lost by us and not by the broker.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { FleetFigures } from "../../runtime/fleet/reporter.js";
import { Broker } from "./broker.js";
import { Gate } from "./gate.js";
import { Listener } from "./listener.js";
import { RunningFleet } from "./running-fleet.js";

const microphones = ["front", "back", "hall"];

export interface Told {
	readonly said: number;
	readonly lost: readonly number[];
	readonly twice: number;
	readonly disorder: readonly string[];
	readonly figures: FleetFigures["outbox"];
}

export async function killAgainAndAgain(
	folder: string,
	kills: number,
	messages: number,
	seed: number,
): Promise<Told> {
	const random = randomOf(seed);
	const broker = await Broker.start(folder);
	const gate = await Gate.start(broker.port);
	const running = await RunningFleet.start({ url: gate.url });
	const seen = new Seen();
	const perKill = Math.ceil(messages / kills);
	let said = 0;
	try {
		for (let kill = 0; kill <= kills; kill++) {
			const listener = await listen(broker, seen);
			gate.isOpen = true;
			if (kill === kills) {
				await running.until(() => running.fleet.figures.outbox.waiting === 0);
				await pause(100);
				await listener.close();
				break;
			}
			const before = running.fleet.figures.outbox.delivered;
			const killAt = before + Math.floor(random() * perKill);
			for (let i = 0; i < perKill && said < messages; i++) {
				running.played.hear(`${said}`, microphones[said % 3]);
				said++;
				if (random() < 0.1) await pause(1);
			}
			await running.until(
				() => running.fleet.figures.outbox.delivered >= killAt,
			);
			await broker.kill();
			gate.shut();
			await pause(20); // what is in the network arrives
			await listener.close();
			await broker.startAgain();
		}
		const { figures } = running.fleet;
		return { said, ...seen.against(said), figures: figures.outbox };
	} finally {
		await running.dispose();
		await gate.close();
		await broker.kill();
	}
}

class Seen {
	readonly #times = new Map<number, number>();
	readonly #newest = new Map<string, number>();
	readonly #disorder: string[] = [];

	note(payload: string): void {
		const { microphone, text } = JSON.parse(payload);
		const number = Number(text);
		this.#times.set(number, (this.#times.get(number) ?? 0) + 1);
		// the one that was on its way may come twice, nothing else
		const last = this.#newest.get(microphone) ?? -1;
		if (number < last)
			this.#disorder.push(`${microphone}: ${number} after ${last}`);
		this.#newest.set(microphone, number);
	}

	against(said: number) {
		const all = Array.from({ length: said }, (_, i) => i);
		return {
			lost: all.filter((it) => !this.#times.has(it)),
			twice: [...this.#times.values()].filter((it) => it > 1).length,
			disorder: this.#disorder,
		};
	}
}

async function listen(broker: Broker, seen: Seen): Promise<Listener> {
	const listener = await Listener.open(broker.url, [], { reconnectPeriod: 0 });
	listener.client.on("message", (_topic, payload) =>
		seen.note(payload.toString()),
	);
	await listener.client.subscribeAsync("earshot/hq/+/events/final", { qos: 0 });
	return listener;
}

function randomOf(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
		return state / 2 ** 32;
	};
}

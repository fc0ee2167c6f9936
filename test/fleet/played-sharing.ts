/** A fake of the appliance's part in sharing: waiting files, and an engine that sends nothing on its own. */

import type { FileEvent } from "../../runtime/engine/file-job.js";
import type { JobLane, JobRequest } from "../../runtime/engine/remote-job.js";
import { jobProtocol } from "../../runtime/fleet/payloads/jobs.js";
import type { SharingPort } from "../../runtime/fleet/sharing/sharing-port.js";
import { defaultSwitches } from "../../runtime/session/options.js";
import { eventually } from "../fixtures/eventually.js";
import type { Listener, ReceivedMessage } from "./listener.js";

/** The result of a lent task's run. */
export interface LentRun {
	readonly events: FileEvent[];
	readonly ended: Promise<Error | undefined>;
}

const source = {
	path: "/nowhere",
	format: "wav",
	sampleRateHz: 16_000,
	channels: 1,
	gain: 1,
	durationSecondsMax: 3600,
} as const;

export const recognitionRequest = {
	is: "hear",
	source,
	options: {
		language: "en-US",
		format: "wav",
		sampleRateHz: 16_000,
		gain: 1,
		durationSecondsMax: 3600,
		maxSentenceSilenceMs: 800,
		...defaultSwitches,
		words: true,
		partials: false,
	},
	resume: [{ sample: 0, index: 1 }],
	skip: [],
	oneByOne: false,
} satisfies JobRequest;

export class PlayedSharing {
	readonly runs = new Map<string, LentRun>();
	/** Jobs of our own engine. */
	readonly jobs: JobRequest[] = [];
	/** Lengths of audio other than a minute. */
	readonly audioMs = new Map<string, number>();
	#onWaiting: (ids: readonly string[]) => void = () => {};

	readonly port: SharingPort = {
		modelOf: () => "whisper-base",
		recognizes: (language) => language === "en-US",
		slots: 4,
		unfinished: () => 0,
		onWaiting: (listener) => {
			this.#onWaiting = listener;
		},
		shareable: (id) => ({
			language: "en-US",
			audioId: `audio of ${id}`,
			audioMs: this.audioMs.get(id) ?? 60_000,
		}),
		lend: (id, lane) => {
			const run = runOf(lane);
			this.runs.set(id, run);
			return run.ended.then(() => {});
		},
		lane: {
			openJob: async (job) => {
				this.jobs.push(job);
				return { events: nothing(), cancel: () => {} };
			},
		},
		audioBytes: async () => 1000,
		audioUrl: () => "http://127.0.0.1/a",
		fetch: async (_url, bytes) => ({
			path: "/nowhere",
			bytes,
			discard: async () => {},
		}),
	};

	/** Tasks that could run on another engine. */
	wait(...ids: readonly string[]): void {
		this.#onWaiting(ids);
	}
}

function runOf(lane: JobLane): LentRun {
	const events: FileEvent[] = [];
	const run = async () => {
		const { events: sent } = await lane.openJob(recognitionRequest);
		for await (const event of sent) events.push(event);
	};
	const ended = run().then(
		() => undefined,
		(error: Error) => error,
	);
	return { events, ended };
}

async function* nothing(): AsyncGenerator<never> {}

/** Another device of the site, or a peer that claims to be one. */
export class Peer {
	readonly name: string;
	readonly #to: string;
	readonly #listener: Listener;

	/** @param listener that reads `earshot/#` and `hq/jobs`. */
	constructor(listener: Listener, name = "peer", to = "kiosk-1") {
		this.#listener = listener;
		this.#to = to;
		this.name = name;
	}

	/** Publishes an offer to all. */
	offer(words: object): Promise<void> {
		return this.#listener.publish("hq/jobs", this.#message("offer", words));
	}

	send(is: string, words: object, qos: 0 | 1 = 1): Promise<void> {
		const topic = `earshot/hq/${this.#to}/jobs`;
		return this.#listener.publish(topic, this.#message(is, words), { qos });
	}

	/** A message from a device to this peer. */
	async receive(
		is: string,
		words: object = {},
	): Promise<Record<string, string>> {
		const message = await this.#listener.until(
			(it) => this.#fits(it, { is, ...words }),
			`"${is}" to ${this.name} of ${JSON.stringify(words)}`,
		);
		return JSON.parse(message.text);
	}

	hasReceived(is: string, words: object): boolean {
		return this.#listener.messages.some((it) =>
			this.#fits(it, { is, ...words }),
		);
	}

	/** Accepts that task as soon as it is offered: an offer ends after three seconds, which may be too late, and is made again. @returns the lease. */
	async borrow(sharing: PlayedSharing, task: string): Promise<string> {
		const { messages } = this.#listener;
		const before = messages.length;
		const offers = new Set<string>();
		sharing.wait(task);
		const lease = await eventually(`a grant of ${task}`, async () => {
			for (const { topic, text } of messages.slice(before)) {
				const offer = topic === "hq/jobs" && JSON.parse(text).offer;
				if (!offer || offers.has(offer)) continue;
				offers.add(offer);
				await this.send("accept", { offer });
			}
			const grant = messages.find(
				(it) =>
					this.#fits(it, { is: "grant" }) &&
					offers.has(JSON.parse(it.text).offer),
			);
			return grant && (JSON.parse(grant.text).lease as string);
		});
		await this.send("ready", { lease });
		await this.receive("job", { lease });
		sharing.wait(); // it is lent now; before, it would be taken back
		return lease;
	}

	#message(is: string, words: object) {
		const from = this.name;
		return { schema: 1, protocol: jobProtocol, is, from, ...words };
	}

	#fits({ topic, text }: ReceivedMessage, words: object): boolean {
		if (!topic.endsWith(`${this.name}/jobs`)) return false;
		const message = JSON.parse(text) as Record<string, unknown>;
		return Object.entries(words).every(([name, it]) => message[name] === it);
	}
}

/** A client of the broker: reads topics, publishes. It reconnects with its session, as a real consumer does. */
import {
	connectAsync,
	type IClientOptions,
	type IClientPublishOptions,
	type MqttClient,
} from "mqtt";
import type { Test } from "tap";
import { conditionOf, eventually } from "../fixtures/eventually.js";
import { jsonIn, knownSecrets } from "../secrets/known-secrets.js";
import { checkNothingLeaked } from "../secrets/leaks.js";

export interface ReceivedMessage {
	readonly topic: string;
	readonly text: string;
	readonly retained: boolean;
	readonly correlation: string | undefined;
	readonly atMs: number;
}

export class Listener {
	readonly messages: ReceivedMessage[] = [];
	readonly client: MqttClient;

	static async open(
		url: string,
		filters: readonly string[],
		options: IClientOptions = {},
	): Promise<Listener> {
		const client = await connectAsync(url, {
			protocolVersion: 5,
			reconnectPeriod: 50,
			...options,
		});
		const listener = new Listener(client);
		for (const filter of filters)
			await client.subscribeAsync(filter, { qos: 1 });
		return listener;
	}

	/** The same, closed when the test is over. */
	static async during(
		t: Pick<Test, "teardown">,
		...settings: Parameters<typeof Listener.open>
	): Promise<Listener> {
		const it = await Listener.open(...settings);
		t.teardown(() => it.close());
		return it;
	}

	private constructor(client: MqttClient) {
		this.client = client;
		client.on("error", () => {});
		client.on("message", (topic, payload, { retain, properties }) => {
			this.messages.push({
				topic,
				text: payload.toString(),
				retained: retain,
				correlation: properties?.correlationData?.toString(),
				atMs: Date.now(),
			});
			knownSecrets.addFrom(jsonIn(payload.toString()));
		});
	}

	/** The first message that matches, already received or still to come. */
	until(
		fits: (message: ReceivedMessage) => boolean,
		what = conditionOf(fits),
	): Promise<ReceivedMessage> {
		return eventually(what, () => this.messages.find(fits), {
			seen: () => this.messages.slice(-20),
		});
	}

	/** The last message of a topic with this ending, as JSON. */
	json(ending: string): Record<string, unknown>[] {
		return this.messages
			.filter((it) => it.topic.endsWith(ending))
			.map((it) => JSON.parse(it.text));
	}

	async publish(
		topic: string,
		message: unknown,
		options: IClientPublishOptions = {},
	): Promise<void> {
		const text =
			typeof message === "string" || Buffer.isBuffer(message)
				? message
				: JSON.stringify(message);
		await this.client.publishAsync(topic, text, { qos: 1, ...options });
	}

	/** @throws Error if retained messages, which anybody may read, contain too much. */
	async close(): Promise<void> {
		await this.client.endAsync(true);
		const staying = this.messages.filter(
			({ topic, retained }) =>
				retained || /\/(status|health|metrics)$/.test(topic),
		);
		checkNothingLeaked(
			"what stays at the broker",
			staying.map(({ topic, text }) => `${topic}\n${text}`),
		);
	}
}

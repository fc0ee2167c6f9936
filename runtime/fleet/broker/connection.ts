/**
 * One connection to an MQTT 5 broker, from its CONNECT to its end. The only file that uses the mqtt package.
 *
 * The package is used for one connection at a time: it neither reconnects nor keeps unacknowledged messages. Both are done outside (link.ts, outbox), because
 * messages that the package replays are lost in a second disconnection, and one packet that crashes a broker would be replayed for ever.
 *
 * INVARIANTS
 * - Every publish and subscribe ends: with the broker's answer, or with ConnectionLost.
 * - Nothing is sent that exceeds the broker's limits: size, number at once, quality of service, retained messages (MQTT 5 section 3.2.2.3).
 * - Nothing is published to an invalid topic, whoever requests it: a broker closes the connection for that.
 * - Messages are given one at a time and in order, a few milliseconds of work in one turn of the event loop: one read of the socket may bring thousands of them.
 *   What has to wait stays with the broker.
 */
import { isIP } from "node:net";
import { connect, type IClientOptions, type MqttClient } from "mqtt";
import { Deferred } from "../../event-loop/deferred.js";
import { Slice } from "../../event-loop/slices.js";
import type { BrokerAddress, TlsFiles } from "../settings.js";
import { topicFault } from "../topics.js";
import { limitsOf, packetBytesOf } from "./broker-limits.js";
import { ConnectionLost } from "./connection-lost.js";
import type {
	IncomingMessage,
	OutgoingMessage,
	Published,
} from "./messages.js";
import { PendingRequests } from "./pending-requests.js";
import { outcomeOf } from "./publish-answer.js";
import { reasonText, refusalText } from "./reasons.js";
import { SendWindow } from "./send-window.js";

export interface ConnectionSettings {
	readonly broker: BrokerAddress;
	readonly tls: () => TlsFiles;
	readonly user: string | undefined;
	readonly password: string | undefined;
	readonly clientId: string;
	readonly keepaliveSeconds: number;
	/** Published by the broker when our connection is lost. */
	readonly will: { readonly topic: string; readonly payload: string };
}

const connectMsMax = 15_000;
const disconnectMsMax = 1000;
/** Larger packets are not sent to us. */
const incomingBytesMax = 512 * 1024;
/** Commands and jobs that the broker may deliver before we have acknowledged them. */
const incomingAtOnce = 64;

export class BrokerConnection {
	readonly #client: MqttClient;
	readonly #requests = new PendingRequests();
	readonly #ended = new Deferred<ConnectionLost>();
	#limits = limitsOf();
	readonly #window = new SendWindow();
	/** The next message is given when the promise of this one resolves. It never rejects, and never waits for the broker, whose answers come behind the message. */
	onMessage: (message: IncomingMessage) => Promise<void> | undefined = () =>
		undefined;
	/** Of this turn of the event loop. */
	readonly #slice = new Slice();
	/** A publish to an invalid topic was requested. */
	onNoTopic: (fault: string) => void = () => {};
	/** The broker refused a message. */
	onRefused: (topic: string, reason: string) => void = () => {};

	/** Resolves when the broker has accepted the connection. @throws ConnectionLost */
	static open(
		settings: ConnectionSettings,
		signal: AbortSignal,
	): Promise<BrokerConnection> {
		const client = connect(optionsOf(settings));
		const connection = new BrokerConnection(client);
		const onAbort = () => connection.#end(new ConnectionLost("it was stopped"));
		signal.addEventListener("abort", onAbort, { once: true });
		const up = connection.#requests.answered<BrokerConnection>((resolve) => {
			client.once("connect", (connack) => {
				connection.#limits = limitsOf(connack.properties);
				connection.#window.limitTo(connection.receiveMax);
				resolve(connection);
			});
		});
		if (signal.aborted) onAbort();
		return up.finally(() => signal.removeEventListener("abort", onAbort));
	}

	private constructor(client: MqttClient) {
		this.#client = client;
		client.on("error", (error) => this.#end(ConnectionLost.of(error)));
		client.on("disconnect", (packet) =>
			this.#end(
				new ConnectionLost(
					`the broker answered: ${refusalText(packet.reasonCode ?? 0)}`,
					packet.reasonCode,
				),
			),
		);
		client.on("close", () =>
			this.#end(new ConnectionLost("the connection was closed")),
		);
		let reading: Promise<void> | undefined;
		client.on("message", (topic, payload, { retain, dup, properties }) => {
			reading = undefined;
			if (this.#requests.lost) return;
			const { responseTopic, correlationData } = properties ?? {};
			reading = this.onMessage({
				topic,
				payload,
				retained: retain,
				isRedelivered: dup,
				...(responseTopic !== undefined && { responseTopic }),
				...(correlationData && { correlation: correlationData }),
			});
		});
		// called behind each message; the package reads on when it is done
		client.handleMessage = (_packet, done) => {
			if (reading || this.#slice.isOver)
				void this.#pause(reading).then(() => done());
			else done();
		};
	}

	/** Resolves when the connection has ended; that may be before its user has it: a broker can accept and end it in one segment. */
	get over(): Promise<ConnectionLost> {
		return this.#ended.promise;
	}

	/** Maximum number of unacknowledged publishes. */
	get receiveMax(): number {
		return this.#limits.receiveMax;
	}

	/** Address of this machine in the broker's network. */
	get localAddress(): string | undefined {
		const stream: unknown = this.#client.stream;
		const address = (stream as { localAddress?: unknown }).localAddress;
		return typeof address === "string" ? address : undefined;
	}

	/** @throws ConnectionLost */
	publish(message: OutgoingMessage): Promise<Published> {
		const { topic, payload, qos, retain } = message;
		const fault = topicFault(topic);
		if (fault !== undefined) {
			this.onNoTopic(fault);
			return Promise.resolve({ is: "no-topic", fault });
		}
		const { packetBytesMax: bytesMax, canRetain } = this.#limits;
		if (packetBytesOf(message) > bytesMax)
			return Promise.resolve({ is: "too-large", bytesMax });
		const options = {
			qos,
			retain: retain === true && canRetain,
			properties: propertiesOf(message),
		};
		return this.#requests.answered((resolve, reject) => {
			const send = () =>
				this.#client.publish(topic, payload, options, (error, packet) => {
					if (qos > 0) this.#window.release();
					const outcome = outcomeOf(error, packet);
					if (outcome instanceof ConnectionLost) {
						reject(outcome);
						return;
					}
					if (outcome.is === "refused") this.onRefused(topic, outcome.reason);
					resolve(outcome);
				});
			if (qos > 0) this.#window.take(send);
			else send();
		});
	}

	/** @param which "all": retained messages as well. @throws ConnectionLost; Error where the broker does not allow it */
	subscribe(filter: string, which: "new" | "all" = "new"): Promise<void> {
		// a shared subscription may not ask for noLocal (MQTT 5 section 3.8.3.1)
		const options =
			which === "all"
				? { qos: 1 as const, nl: true }
				: { qos: 1 as const, rh: 2 };
		return this.#requests.answered((resolve, reject) => {
			this.#client.subscribe(filter, options, (error, _granted, packet) => {
				// without an answer of the broker the connection is closing
				const code = Number(packet?.granted?.[0] ?? 0);
				if (error && !packet) reject(new ConnectionLost(error.message));
				else if (code < 0x80) resolve();
				else
					reject(
						new Error(`can't subscribe to ${filter}: ${reasonText(code)}`),
					);
			});
		});
	}

	/** @throws ConnectionLost */
	unsubscribe(filter: string): Promise<void> {
		return this.#requests.answered((resolve) => {
			this.#client.unsubscribe(filter, () => resolve());
		});
	}

	/** Disconnects regularly: the broker does not publish our will. */
	async close(): Promise<void> {
		if (this.#requests.lost) return;
		const closed = new Promise<void>((resolve) =>
			this.#client.end(false, {}, () => resolve()),
		);
		await Promise.race([
			closed,
			new Promise((late) => setTimeout(late, disconnectMsMax).unref()),
		]);
		this.#end(new ConnectionLost("it was closed"));
	}

	async #pause(reading: Promise<void> | undefined): Promise<void> {
		await reading;
		if (this.#slice.isOver) await this.#slice.next();
	}

	#end(reason: ConnectionLost): void {
		if (this.#requests.lost) return;
		this.#window.close();
		this.#requests.fail(reason);
		this.#client.end(true);
		this.#ended.resolve(reason);
	}
}

function propertiesOf({ correlation, expirySeconds }: OutgoingMessage) {
	return {
		...(correlation && { correlationData: Buffer.from(correlation) }),
		...(expirySeconds !== undefined && {
			messageExpiryInterval: expirySeconds,
		}),
	};
}

function optionsOf(settings: ConnectionSettings): IClientOptions {
	const { broker, tls, user, password, will } = settings;
	return {
		protocol: broker.secure ? "mqtts" : "mqtt",
		host: broker.host,
		port: broker.port,
		protocolVersion: 5,
		clientId: settings.clientId,
		clean: true,
		reconnectPeriod: 0,
		resubscribe: false,
		queueQoSZero: false,
		connectTimeout: connectMsMax,
		keepalive: settings.keepaliveSeconds,
		...(user !== undefined && { username: user }),
		...(password !== undefined && { password }),
		...(broker.secure && {
			...tls(),
			rejectUnauthorized: true,
			// an IP address can't be a server name (SNI)
			...(isIP(broker.host) === 0 && { servername: broker.host }),
		}),
		will: { ...will, payload: Buffer.from(will.payload), qos: 1, retain: true },
		properties: {
			maximumPacketSize: incomingBytesMax,
			receiveMaximum: incomingAtOnce,
		},
	};
}

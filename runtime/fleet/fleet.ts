/**
 * The fleet as a whole: one link to the broker, and all messages over it. The appliance works the same with a broker, without one, and while it is not
 * reachable.
 */
import { bytesPerMegabyte } from "../config/sections/files.js";
import type { LogPort } from "../log/log-port.js";
import type { Write } from "../store/database.js";
import type { FleetOutboxRepository } from "../store/fleet-outbox.js";
import type { AppliancePort } from "./appliance-port.js";
import { clientIdOf } from "./broker/client-id.js";
import type { BrokerConnection } from "./broker/connection.js";
import { isAllowed } from "./broker/is-allowed.js";
import { BrokerLink, type LinkState } from "./broker/link.js";
import type { IncomingMessage } from "./broker/messages.js";
import { CommandHandler } from "./commands/command-handler.js";
import { commandExecutor } from "./commands/execute.js";
import { DiscoveryPublisher } from "./discovery-publisher.js";
import { FleetOutbox } from "./outbox/outbox.js";
import { rowMessage, rowTopic } from "./outbox/row-message.js";
import { FleetOutboxSender } from "./outbox/sender.js";
import { type FleetStats, Reporter } from "./reporter.js";
import type { FleetConfig, FleetSettings } from "./settings.js";
import { Sharing } from "./sharing/sharing.js";
import type { SharingPort } from "./sharing/sharing-port.js";
import { TranscriptPublisher } from "./transcript-publisher.js";

export interface FleetParts {
	readonly settings: FleetSettings;
	/** Currently in force. */
	readonly config: () => FleetConfig;
	readonly rows: FleetOutboxRepository;
	readonly appliance: AppliancePort;
	/** Absent: no files are shared. */
	readonly sharing?: SharingPort;
	readonly log: LogPort;
}

const nothingShared = {
	lent: 0,
	borrowed: 0,
	given: 0,
	taken: 0,
	lost: 0,
	ignored: 0,
};
export class Fleet {
	readonly #parts: FleetParts;
	readonly #abort = new AbortController();
	readonly #outbox: FleetOutbox;
	readonly #sender: FleetOutboxSender;
	readonly #reporter: Reporter;
	readonly #publisher: TranscriptPublisher;
	readonly #commands: CommandHandler;
	readonly #link: BrokerLink;
	readonly #sharing: Sharing | undefined;
	/** The broker lets us read what other devices answer. */
	#mayShare = false;
	readonly #discovery: DiscoveryPublisher;

	constructor(parts: FleetParts) {
		const { settings, rows, appliance, log } = parts;
		const { topics } = settings;
		const config = parts.config();
		this.#parts = parts;
		this.#outbox = new FleetOutbox({
			rows,
			limits: {
				messagesMax: config.outbox_messages_max,
				bytesMax: config.outbox_megabytes_max * bytesPerMegabyte,
				triesMax: config.outbox_tries_max,
			},
			topicOf: (body) => rowTopic(body, topics),
			nowSeconds: () => Date.now() / 1000,
			log,
		});
		this.#sender = new FleetOutboxSender({
			outbox: this.#outbox,
			render: ({ body }) => rowMessage(body, appliance, parts.config()),
			inFlightMax: config.in_flight_max,
			log,
		});
		this.#reporter = new Reporter({
			topics,
			appliance: appliance,
			stats: () => this.stats,
			everySeconds: config.report_seconds,
			nowMs: () => Date.now(),
		});
		this.#publisher = new TranscriptPublisher({
			microphones: appliance.microphones,
			calls: appliance.calls,
			outbox: this.#outbox,
			topics,
			publishesPartials: () => parts.config().partials,
			connection: () => this.#link.connection,
			log,
		});
		this.#commands = new CommandHandler({
			topics,
			allowed: () => parts.config().commands,
			perSecond: config.commands_per_second,
			execute: commandExecutor(appliance, this.#abort.signal),
			log,
		});
		this.#discovery = new DiscoveryPublisher({
			about: { ...settings, version: appliance.version },
			isWanted: () => parts.config().home_assistant,
			microphones: () => [...appliance.microphones.states.keys()],
			commands: () => parts.config().commands,
			log,
		});
		this.#sharing =
			parts.sharing &&
			new Sharing({
				appliance: parts.sharing,
				device: settings.device,
				topics,
				connection: () => (this.#mayShare ? this.#link.connection : undefined),
				leaseSeconds: config.lease_seconds,
				log,
			});
		this.#link = new BrokerLink({
			settings: {
				...settings,
				clientId: clientIdOf(settings),
				keepaliveSeconds: config.keepalive_seconds,
				will: { topic: topics.status, payload: Reporter.offline() },
			},
			onUp: (connection) => this.#onUp(connection),
			onDown: () => {
				this.#sender.use(undefined);
				this.#commands.drop();
				this.#sharing?.drop();
			},
			log,
		});
	}

	/** Resolves when the pending messages are loaded; connects in the background. @throws StoreError */
	async start(): Promise<void> {
		await this.#outbox.open();
		this.#publisher.start();
		this.#reporter.start();
		this.#sharing?.start();
		this.#link.start();
	}

	/** Pending messages are sent after the next start. */
	async stop(): Promise<void> {
		this.#publisher.stop();
		this.#reporter.stop();
		this.#sharing?.stop();
		this.#abort.abort();
		const { topics } = this.#parts.settings;
		await this.#link.stop((connection) =>
			connection.publish({
				topic: topics.status,
				payload: Reporter.offline(),
				qos: 1,
				retain: true,
			}),
		);
		await this.#sender.stop();
		await this.#outbox.close();
	}

	/** A write for the transaction that finishes a task. */
	announcingTask(id: string): Write {
		return this.#outbox.announcingTask(id);
	}

	/** That transaction is on the disk. */
	taskFinished(id: string): void {
		this.#outbox.taskAnnounced(id);
	}

	get link(): LinkState {
		return this.#link.state;
	}

	/** For /metrics of the appliance itself. */
	get series() {
		return { ...this.stats, isUp: this.link.is === "up" };
	}

	get stats(): FleetStats {
		const outbox = this.#outbox.stats;
		return {
			outbox: {
				waiting: outbox.waiting,
				bytes: outbox.bytes,
				dead_letters: outbox.deadLetters,
				delivered: outbox.delivered,
				dropped: outbox.dropped,
			},
			connections: this.#link.connections,
			topics_refused: this.#link.topicsRefused,
			commands: this.#commands.stats,
			shared: this.#sharing?.stats ?? nothingShared,
		};
	}

	async #onUp(connection: BrokerConnection): Promise<void> {
		connection.onMessage = (message) => this.#onMessage(connection, message);
		const steps = [
			() => this.#commands.use(connection),
			() => this.#reporter.publishStatus(connection),
			() => this.#discovery.use(connection),
			() => this.#share(connection),
			() => this.#sender.use(connection),
		];
		for (const step of steps) {
			if (this.#abort.signal.aborted) return; // `offline` is published
			await step();
		}
	}

	/** @throws ConnectionLost */
	async #share(connection: BrokerConnection): Promise<void> {
		if (!this.#sharing) return;
		this.#mayShare = await isAllowed(
			this.#sharing.use(connection),
			"going on without shared files (change its access rules, or fleet.share)",
			(fields, message) => this.#parts.log.warn(fields, message),
		);
	}

	#onMessage(
		connection: BrokerConnection,
		message: IncomingMessage,
	): Promise<void> | undefined {
		const { topics } = this.#parts.settings;
		const command = topics.commandOf(message.topic);
		if (command !== undefined)
			return this.#commands.onMessage(command, message);
		if (!this.#discovery.owns(message.topic))
			return this.#sharing?.onMessage(message);
		this.#discovery.onMessage(connection, message);
		return undefined;
	}
}

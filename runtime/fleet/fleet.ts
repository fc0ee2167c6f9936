/**
 * The fleet put together: one link to the broker, and what goes over it. The appliance works the same with a broker, without one, and while it is away.
 */
import type { EngineLog } from "../engine/log-port.js";
import type { Write } from "../store/database.js";
import type {
	FleetMessageRow,
	FleetOutboxRepository,
} from "../store/fleet-outbox.js";
import type { BrokerConnection, IncomingMessage } from "./broker/connection.js";
import { BrokerLink, type LinkState } from "./broker/link.js";
import { carrierFor } from "./commands/carry-out.js";
import { CommandDesk } from "./commands/command-desk.js";
import { HeardExit } from "./heard-exit.js";
import type { House } from "./house-port.js";
import { Introduction } from "./introduction.js";
import { Outbox } from "./outbox/outbox.js";
import { OutboxSender, type Said } from "./outbox/sender.js";
import { sayTask } from "./payloads/task.js";
import { type FleetFigures, Reporter } from "./reporter.js";
import type { FleetConfig, FleetSettings } from "./settings.js";
import { Sharing } from "./sharing/sharing.js";
import type { SharingHouse } from "./sharing/sharing-port.js";

export interface FleetParts {
	readonly settings: FleetSettings;
	/** In force now. */
	readonly config: () => FleetConfig;
	readonly rows: FleetOutboxRepository;
	readonly house: House;
	/** Absent: no files are shared. */
	readonly sharing?: SharingHouse;
	readonly log: EngineLog;
}

const nothingShared = {
	...{ lent: 0, borrowed: 0, given: 0, taken: 0, lost: 0, ignored: 0 },
};
const bytesPerKilobyte = 1024;
const bytesPerMegabyte = 1024 * 1024;

export class Fleet {
	readonly #parts: FleetParts;
	readonly #abort = new AbortController();
	readonly #outbox: Outbox;
	readonly #sender: OutboxSender;
	readonly #reporter: Reporter;
	readonly #heard: HeardExit;
	readonly #commands: CommandDesk;
	readonly #link: BrokerLink;
	readonly #sharing: Sharing | undefined;
	readonly #introduction: Introduction;

	constructor(parts: FleetParts) {
		const { settings, rows, house, log } = parts;
		const { topics } = settings;
		const config = parts.config();
		this.#parts = parts;
		this.#outbox = new Outbox({
			rows,
			limits: {
				messagesMax: config.outbox_messages_max,
				bytesMax: config.outbox_megabytes_max * bytesPerMegabyte,
				triesMax: config.outbox_tries_max,
			},
			taskTopic: (id) => topics.task(id),
			nowSeconds: () => Date.now() / 1000,
			log,
		});
		this.#sender = new OutboxSender({
			outbox: this.#outbox,
			say: (row) => this.#say(row),
			inFlightMax: config.in_flight_max,
			log,
		});
		this.#reporter = new Reporter({
			topics,
			house,
			figures: () => this.figures,
			everySeconds: config.report_seconds,
			nowMs: () => Date.now(),
		});
		this.#heard = new HeardExit({
			microphones: house.microphones,
			outbox: this.#outbox,
			topics,
			tellsPartials: () => parts.config().partials,
			connection: () => this.#link.connection,
			log,
		});
		this.#commands = new CommandDesk({
			topics,
			allowed: () => parts.config().commands,
			perSecond: config.commands_per_second,
			carry: carrierFor(house, this.#abort.signal),
			log,
		});
		this.#introduction = new Introduction({
			about: { ...settings, version: house.version },
			isWanted: () => parts.config().home_assistant,
			microphones: () => [...house.microphones.states.keys()],
			commands: () => parts.config().commands,
			log,
		});
		this.#sharing =
			parts.sharing &&
			new Sharing({
				house: parts.sharing,
				device: settings.device,
				topics,
				connection: () => this.#link.connection,
				leaseSeconds: config.lease_seconds,
				log,
			});
		this.#link = new BrokerLink({
			settings: {
				...settings,
				clientId: `earshot-${settings.site}-${settings.device}`,
				keepaliveSeconds: config.keepalive_seconds,
				will: { topic: topics.status, payload: Reporter.offline() },
			},
			onUp: (connection) => this.#onUp(connection),
			onDown: () => {
				this.#sender.use(undefined);
				this.#sharing?.drop();
			},
			log,
		});
	}

	/** Resolves when what was left is found; connects by itself. @throws StoreError */
	async start(): Promise<void> {
		await this.#outbox.open();
		this.#heard.start();
		this.#reporter.start();
		this.#sharing?.start();
		this.#link.start();
	}

	/** What is not said by now is said after the next start. */
	async stop(): Promise<void> {
		this.#heard.stop();
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
		await this.#outbox.settled();
	}

	/** For the transaction that finishes a task. */
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

	/** For whoever watches the appliance itself. */
	get series() {
		return { ...this.figures, isUp: this.link.is === "up" };
	}

	get figures(): FleetFigures {
		const outbox = this.#outbox.figures;
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
			commands: this.#commands.figures,
			shared: this.#sharing?.figures ?? nothingShared,
		};
	}

	async #onUp(connection: BrokerConnection): Promise<void> {
		const { topics } = this.#parts.settings;
		connection.onMessage = (message) => this.#onMessage(connection, message);
		await connection.subscribe(topics.commands);
		await this.#reporter.greet(connection);
		await this.#introduction.use(connection);
		await this.#sharing?.use(connection);
		this.#sender.use(connection);
	}

	#onMessage(connection: BrokerConnection, message: IncomingMessage): void {
		const { topics } = this.#parts.settings;
		const command = topics.commandOf(message.topic);
		if (command !== undefined)
			this.#commands.accept(connection, command, message);
		else if (this.#introduction.owns(message.topic))
			this.#introduction.accept(connection, message);
		else this.#sharing?.accept(message);
	}

	#say({ body }: FleetMessageRow): Said | undefined {
		if (body.is === "text") return { text: body.text };
		const { house, config } = this.#parts;
		const task = house.task(body.id);
		if (!task) return undefined; // removed meanwhile
		const bytesMax = config().result_kilobytes_max * bytesPerKilobyte;
		return sayTask(task, house.result(body.id), bytesMax);
	}
}

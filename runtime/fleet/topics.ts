/**
 * Every topic of a device; no other file builds topics. All are under `earshot/<site>/<device>`; shared files are offered on `<site>/jobs`, which the site's
 * devices read through one shared subscription (`$share/earshot/<site>/jobs`, MQTT 5 section 4.8.2).
 */

/** MQTT 5 section 4.7.3 allows 65535; nobody needs that many, and they fill logs. */
const topicBytesMax = 1024;
/** Brokers close the connection above their own limit: mosquitto at 200, EMQX at 128. */
const topicLevelsMax = 32;
/** Root of all devices' topics. */
const root = "earshot";
/** Home Assistant's root for discovery (home-assistant.ts). */
export const discoveryRoot = "homeassistant";
/** Topics that a device publishes on its own account, below `earshot/<site>/<device>`. */
const ownTopics: readonly string[] = [
	"status",
	"health",
	"metrics",
	"events",
	"tasks",
];

export class Topics {
	readonly #site: string;
	readonly #base: string;

	/** @param site and device are checked by the configuration's schema. */
	constructor(site: string, device: string) {
		this.#site = site;
		this.#base = `${root}/${site}/${device}`;
	}

	get base(): string {
		return this.#base;
	}

	/** Retained: online, or offline by last will. */
	get status(): string {
		return `${this.#base}/status`;
	}

	get health(): string {
		return `${this.#base}/health`;
	}

	get metrics(): string {
		return `${this.#base}/metrics`;
	}

	get wakes(): string {
		return `${this.#base}/events/wake`;
	}

	get finals(): string {
		return `${this.#base}/events/final`;
	}

	get partials(): string {
		return `${this.#base}/events/partial`;
	}

	task(id: string): string {
		return `${this.#base}/tasks/${id}`;
	}

	/** Replies to commands without a response topic. */
	get replies(): string {
		return `${this.#base}/replies`;
	}

	get commands(): string {
		return `${this.#base}/cmd/#`;
	}

	command(name: string): string {
		return `${this.#base}/cmd/${name}`;
	}

	/** @returns undefined for a topic that is not a command's. */
	commandOf(topic: string): string | undefined {
		const prefix = `${this.#base}/cmd/`;
		return topic.startsWith(prefix) ? topic.slice(prefix.length) : undefined;
	}

	/** Messages between devices about shared files; each device reads its own inbox. */
	inboxOf(device: string): string {
		return `${root}/${this.#site}/${device}/jobs`;
	}

	get offers(): string {
		return `${this.#site}/jobs`;
	}

	/** Each offer reaches one of the subscribers. */
	get sharedOffers(): string {
		return `$share/earshot/${this.offers}`;
	}
}

/**
 * MQTT 5 sections 1.5.4 and 4.7: topics for which a broker may close the connection, and topics of the broker.
 * @returns why nothing can be published to it; undefined for a valid topic.
 */
export function topicFault(topic: string): string | undefined {
	if (topic === "") return "it is empty";
	if (Buffer.byteLength(topic) > topicBytesMax)
		return `it is longer than ${topicBytesMax} bytes`;
	if (/[+#]/.test(topic)) return "it contains a wildcard";
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
	if (/[\x00-\x1f\x7f-\x9f\p{Cs}\p{Noncharacter_Code_Point}]/u.test(topic))
		return "it contains an invalid or control character";
	if (topic.split("/").length > topicLevelsMax)
		return `it has more than ${topicLevelsMax} levels`;
	return topic.startsWith("$") ? "it belongs to the broker" : undefined;
}

/**
 * A reply is sent to the requester's topic, and must not be mistaken there for something else: a command, a job, an announcement, a message of a device.
 * @returns why no reply may be sent there; undefined where it may.
 */
export function replyTopicFault(topic: string): string | undefined {
	const fault = topicFault(topic);
	if (fault !== undefined) return fault;
	const levels = topic.split("/");
	if (levels.includes("cmd")) return "it is a command topic";
	if (levels.at(-1) === "jobs") return "devices share files there";
	if (levels[0] === discoveryRoot) return "devices are announced there";
	if (levels[0] === root && ownTopics.includes(levels[3] ?? ""))
		return "devices publish their own messages there";
	return undefined;
}

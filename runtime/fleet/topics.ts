/**
 * Every topic of a device, and no other file writes one. All lie under `earshot/<site>/<device>`; files that are shared go through `<site>/jobs`, which a
 * site's devices read as one (`$share/earshot/<site>/jobs`, MQTT 5 section 4.8.2).
 */

/** MQTT 5 section 4.7.3 allows 65535; nobody needs that, and it fills logs. */
const topicBytesMax = 1024;
/** Brokers close the connection past theirs: mosquitto at 200, EMQX at 128. */
const topicLevelsMax = 32;
/** Of all devices. */
const root = "earshot";
/** Home Assistant listens below it (home-assistant.ts). */
export const discoveryRoot = "homeassistant";
/** What a device says by itself, below `earshot/<site>/<device>`. */
const ownNews: readonly string[] = [
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

	get finals(): string {
		return `${this.#base}/events/final`;
	}

	get partials(): string {
		return `${this.#base}/events/partial`;
	}

	task(id: string): string {
		return `${this.#base}/tasks/${id}`;
	}

	/** What is said of a command whose sender named no topic for it. */
	get replies(): string {
		return `${this.#base}/replies`;
	}

	get commands(): string {
		return `${this.#base}/cmd/#`;
	}

	command(name: string): string {
		return `${this.#base}/cmd/${name}`;
	}

	/** @returns undefined for a topic that is no command's. */
	commandOf(topic: string): string | undefined {
		const prefix = `${this.#base}/cmd/`;
		return topic.startsWith(prefix) ? topic.slice(prefix.length) : undefined;
	}

	/** What devices say to each other about shared files; each reads its own. */
	inboxOf(device: string): string {
		return `${root}/${this.#site}/${device}/jobs`;
	}

	get offers(): string {
		return `${this.#site}/jobs`;
	}

	/** One of all that wait there gets an offer. */
	get sharedOffers(): string {
		return `$share/earshot/${this.offers}`;
	}
}

/**
 * MQTT 5 sections 1.5.4 and 4.7: what a broker may close the connection for, and what belongs to it.
 * @returns why nothing can be published to it; undefined where something can.
 */
export function topicFault(topic: string): string | undefined {
	if (topic === "") return "it is empty";
	if (Buffer.byteLength(topic) > topicBytesMax)
		return `it is longer than ${topicBytesMax} bytes`;
	if (/[+#]/.test(topic)) return "it contains a wildcard";
	// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
	if (/[\x00-\x1f\x7f-\x9f\p{Cs}\p{Noncharacter_Code_Point}]/u.test(topic))
		return "it holds an invalid or control character";
	if (topic.split("/").length > topicLevelsMax)
		return `it has more than ${topicLevelsMax} levels`;
	return topic.startsWith("$") ? "it belongs to the broker" : undefined;
}

/**
 * An answer goes where its asker says, and must not be taken there for something else: a command, a job, an announcement, the news of a device.
 * @returns why no answer may go there; undefined where one may.
 */
export function replyTopicFault(topic: string): string | undefined {
	const fault = topicFault(topic);
	if (fault !== undefined) return fault;
	const levels = topic.split("/");
	if (levels.includes("cmd")) return "it is a command topic";
	if (levels.at(-1) === "jobs") return "devices share files there";
	if (levels[0] === discoveryRoot) return "devices are announced there";
	if (levels[0] === root && ownNews.includes(levels[3] ?? ""))
		return "devices publish their own messages there";
	return undefined;
}

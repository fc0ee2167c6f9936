/**
 * What the servers of a test handed out and were told, as the clients of this process saw it go by (watched-clients.ts): what no line that others read may hold
 * (leaks.ts). There is one collection for a process: a secret of one server is none of another's business either.
 */

/** Kinds of secrets by the keys under which answers and requests hold them. */
const kindOfKey: Readonly<Record<string, string>> = {
	token: "a token",
	secret: "an application's secret",
	task_id: "a task's id",
	result: "a transcript",
	transcript: "a transcript",
	spoken: "a transcript",
	text: "a transcript",
	hotwords_list: "a hotword",
	words: "a hotword",
};

const signature = "a link's signature";
/** A word or two is in many a line by chance. Chinese and Japanese say as much in half as many characters. */
const textWidthMin = 12;
/** Of one list or object: tests send tens of thousands of words. */
const itemsMax = 200;
/** Longer ones are there to be refused. To parse eight megabytes of brackets takes a busy machine ten seconds, in which connections are lost that wait to be used again. */
const charactersMax = 1024 * 1024;

export class KnownSecrets {
	readonly #kinds = new Map<string, string>();

	/** @param kind of it, with its article. */
	add(kind: string, secret: string): void {
		if (isLong(secret)) this.#kinds.set(secret, kind);
	}

	/** @param value of JSON: an answer or a request, whole. */
	addFrom(value: unknown, depthMax = 20): void {
		if (typeof value !== "object" || value === null || depthMax === 0) return;
		for (const [key, held] of Object.entries(value).slice(0, itemsMax)) {
			const kind = Array.isArray(value) ? undefined : kindOfKey[key];
			const all = Array.isArray(held) ? held.slice(0, itemsMax) : [held];
			for (const one of all)
				if (typeof one !== "string") this.addFrom(one, depthMax - 1);
				else if (kind) this.add(kind, one);
				else if (key === "audio_url") this.#addLink(one);
		}
	}

	/** @param texts of a form or a query, by name. */
	addTexts(texts: Iterable<[name: string, value: unknown]>): void {
		for (const [name, value] of texts) {
			if (typeof value !== "string" || kindOfKey[name] !== "a hotword")
				continue;
			if (value.length > charactersMax) continue;
			const list = /^\s*[[{]/.test(value) ? jsonIn(value) : undefined;
			this.addFrom({ [name]: list ?? value.split("|") });
		}
	}

	addBearer(authorization: string | null | undefined): void {
		const [, token] = /^Bearer (\S+)$/.exec(authorization ?? "") ?? [];
		if (token !== undefined && token.length >= 40) this.add("a token", token);
	}

	/** @returns the kinds of those that the text holds. */
	in(text: string): string[] {
		return [...this.#kinds]
			.filter(([secret]) => text.includes(secret))
			.map(([, kind]) => kind);
	}

	#addLink(url: string): void {
		if (!URL.canParse(url)) return;
		this.add(signature, new URL(url).searchParams.get("signature") ?? "");
	}
}

export const knownSecrets = new KnownSecrets();

/** @returns undefined for what is none, or too long to be looked at. */
export function jsonIn(text: string): unknown {
	if (text.length > charactersMax) return undefined;
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function isLong(text: string): boolean {
	if (text.length >= textWidthMin) return true;
	return text.replace(/[^\0-\x7f]/gu, "xx").length >= textWidthMin;
}

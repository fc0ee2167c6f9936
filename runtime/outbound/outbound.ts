/**
 * Requests to places that a client named (`file_url`, `callback_url`). The only service for such requests.
 *
 * INVARIANTS
 * - A name is resolved once; each of its addresses must be allowed; the connection goes to those addresses and no others, even if DNS changes a moment later.
 * - Each redirect is a new target and passes the same checks, or is not followed at all.
 * - Everything is limited: connecting, headers, silence, a piece, the whole time, the bytes.
 */
import { lookup as systemLookup } from "node:dns/promises";
import { networkInterfaces } from "node:os";
import { AddressRules, type OwnPlace } from "./address-rules.js";
import { exchange, type OutboundAnswer } from "./exchange.js";
import { OutboundError, refused } from "./outbound-error.js";
import type { OutboundRequest } from "./outbound-request.js";
import { parseTarget, type Target } from "./target.js";

export interface OutboundParts {
	/** `outbound.allow` */
	readonly allow: readonly string[];
	/** Port of the API; undefined until it listens. */
	readonly ownPort: () => number | undefined;
	/** Returns all addresses of a name; rejects if it has none. */
	readonly resolve?: (host: string) => Promise<readonly string[]>;
	/** `OwnPlace.networks`; default: of this machine. */
	readonly ownNetworks?: () => readonly string[];
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export class Outbound {
	readonly #own: OwnPlace;
	#rules: AddressRules;
	readonly #resolve: (host: string) => Promise<readonly string[]>;

	/** @throws Error that names an invalid entry of `allow`. */
	constructor(parts: OutboundParts) {
		this.#own = {
			networks: parts.ownNetworks ?? networksOfThisMachine,
			port: parts.ownPort,
		};
		this.#rules = new AddressRules(parts.allow, this.#own);
		this.#resolve = parts.resolve ?? resolveBySystem;
	}

	/** Replaces `outbound.allow`, for new requests. @throws Error that names an invalid entry; then nothing changes. */
	allow(entries: readonly string[]): void {
		this.#rules = new AddressRules(entries, this.#own);
	}

	/** @returns why a URL is not allowed, as far as it is known without a name lookup; undefined otherwise. */
	objection(url: string): string | undefined {
		try {
			const target = parseTarget(url);
			if (target.isLiteral) this.#requireAllowed(target, [target.host]);
			else if (/(^|\.)localhost$/.test(target.host))
				this.#requireAllowed(target, ["127.0.0.1"]);
			return undefined;
		} catch (thrown) {
			if (thrown instanceof OutboundError) return thrown.message;
			throw thrown;
		}
	}

	/** @returns the answer once its headers have arrived, whatever its status. @throws OutboundError; the signal's reason when aborted */
	async send(url: string, request: OutboundRequest): Promise<OutboundAnswer> {
		const deadline = new Deadline(request.limits.secondsMax, request.signal);
		try {
			const answer = await this.#follow(url, request, deadline.signal);
			return answer.endingWith(() => deadline.clear());
		} catch (thrown) {
			deadline.clear();
			throw thrown;
		}
	}

	async #follow(
		url: string,
		request: OutboundRequest,
		signal: AbortSignal,
	): Promise<OutboundAnswer> {
		let target = parseTarget(url);
		for (let hops = 0; ; hops++) {
			const addresses = await this.#addressesOf(target, request, signal);
			const answer = await exchange(target, addresses, request, signal);
			const location = answer.headers.location;
			if (
				request.redirectsMax === 0 ||
				!redirects.has(answer.status) ||
				location === undefined
			)
				return answer;
			answer.close();
			if (hops === request.redirectsMax)
				throw refused(`it redirects more than ${request.redirectsMax} times`);
			const next = parseTarget(location, target.url);
			if (target.secure && !next.secure)
				throw refused("it redirects from https to http");
			target = next;
		}
	}

	async #addressesOf(
		target: Target,
		{ limits }: OutboundRequest,
		signal: AbortSignal,
	): Promise<readonly string[]> {
		const addresses = target.isLiteral
			? [target.host]
			: await this.#resolved(target.host, limits.connectSecondsMax, signal);
		this.#requireAllowed(target, addresses);
		return addresses;
	}

	async #resolved(
		host: string,
		secondsMax: number,
		signal: AbortSignal,
	): Promise<readonly string[]> {
		const deadline = new Deadline(secondsMax, signal, "the name lookup");
		try {
			const addresses = await deadline.race(this.#resolve(host));
			if (addresses.length > 0) return addresses;
			throw new Error("no address");
		} catch (thrown) {
			signal.throwIfAborted();
			if (thrown instanceof OutboundError) throw thrown;
			throw new OutboundError(
				"unreachable",
				"its host name is unknown",
				thrown,
			);
		} finally {
			deadline.clear();
		}
	}

	/** One forbidden address among several is enough to refuse: which one is used is not our choice. */
	#requireAllowed({ host, port }: Target, addresses: readonly string[]): void {
		for (const address of addresses) {
			const why = this.#rules.objection(address, port, host);
			if (why !== undefined)
				throw refused(
					`it resolves to an address that is not allowed (${why}; outbound.allow opens one)`,
				);
		}
	}
}

export async function resolveBySystem(
	host: string,
): Promise<readonly string[]> {
	const answers = await systemLookup(host, { all: true });
	return answers.map((it) => it.address);
}

export function networksOfThisMachine(): string[] {
	return Object.values(networkInterfaces()).flatMap((it) =>
		(it ?? []).map(
			({ address, family, cidr }) =>
				cidr ?? `${address}/${family === "IPv6" ? 128 : 32}`,
		),
	);
}

/** A signal that aborts when the time is over, or when another signal does. */
export class Deadline {
	readonly #abort = new AbortController();
	readonly #timer: NodeJS.Timeout;
	readonly #outer: AbortSignal | undefined;
	readonly #onOuter = () => this.#abort.abort(this.#outer?.reason);

	constructor(seconds: number, outer?: AbortSignal, what = "the request") {
		this.#outer = outer;
		this.#timer = setTimeout(
			() =>
				this.#abort.abort(
					new OutboundError("unreachable", `${what} took over ${seconds} s`),
				),
			seconds * 1000,
		);
		if (outer?.aborted) this.#onOuter();
		outer?.addEventListener("abort", this.#onOuter);
	}

	get signal(): AbortSignal {
		return this.#abort.signal;
	}

	race<T>(work: Promise<T>): Promise<T> {
		return new Promise<T>((resolve, reject) => {
			const fail = () => reject(this.signal.reason);
			if (this.signal.aborted) fail();
			this.signal.addEventListener("abort", fail, { once: true });
			work.then(resolve, reject);
		});
	}

	clear(): void {
		clearTimeout(this.#timer);
		this.#outer?.removeEventListener("abort", this.#onOuter);
	}
}

/** The endpoints of one server's WebSockets as one: each admits the upgrades of its own paths. */
import { CodedError } from "../errors.js";
import type {
	Admitted,
	SocketEndpoint,
	UpgradeRequest,
} from "./live-socket.js";

export class SocketEndpoints implements SocketEndpoint {
	readonly paths: readonly string[];
	readonly #endpoints: readonly SocketEndpoint[];
	#drained: Promise<boolean> | undefined;

	constructor(endpoints: readonly SocketEndpoint[]) {
		this.#endpoints = endpoints;
		this.paths = endpoints.flatMap((it) => it.paths);
	}

	messageBytesMax(path: string): number | undefined {
		return this.#serving((it) => it === path)?.messageBytesMax?.(path);
	}

	/** @throws CodedError 100001 for an unknown path, and what the path's endpoint throws. */
	admit(request: UpgradeRequest): Admitted {
		const endpoint =
			this.#serving((path) => path === request.path) ??
			this.#serving((path) => matches(path, request.path));
		if (!endpoint) throw new CodedError("100001");
		return endpoint.admit(request);
	}

	/** The servers of all ports stop with the same sessions: each of them waits for one end, and hears the same of it. */
	drain(milliseconds: number): Promise<boolean> {
		this.#drained ??= this.#drainAll(milliseconds);
		return this.#drained;
	}

	async #drainAll(milliseconds: number): Promise<boolean> {
		const had = await Promise.all(
			this.#endpoints.map((it) => it.drain(milliseconds)),
		);
		return had.includes(true);
	}

	#serving(isIt: (path: string) => boolean): SocketEndpoint | undefined {
		return this.#endpoints.find((it) => it.paths.some(isIt));
	}
}

/** @param pattern whose segments may be parameters, `:name`. */
function matches(pattern: string, path: string): boolean {
	const wanted = pattern.split("/");
	const segments = path.split("/");
	return (
		wanted.length === segments.length &&
		wanted.every((it, at) => it.startsWith(":") || it === segments[at])
	);
}

/** Who used each of the device's interfaces last, since the start: for whoever wonders which of them are still needed. */
import type { ApiRequest } from "../exchange.js";

export interface LastCall {
	/** Unix time. */
	readonly atSeconds: number;
	readonly address: string;
	/** Of its token; empty where the interface knows none. */
	readonly name: string;
}

export type HttpInterface = "http" | "https" | "openai" | "realtime" | "calls";

/** What only looks how the device is, as the console does every second, is no use of it. */
const watching = /^\/v1\/(status|logs|console|microphones)(\/|$)/;

const ofPaths: readonly (readonly [HttpInterface, RegExp])[] = [
	["openai", /^\/(v1\/(audio|models)(\/|$)|inference$)/],
	["realtime", /^\/v1\/realtime(\/|$)/],
	["calls", /^\/v1\/calls(\/|$)/],
];

export class LastCalls {
	readonly #calls = new Map<HttpInterface, LastCall>();

	note(
		request: Pick<ApiRequest, "isSecure" | "remoteAddress"> & {
			readonly path?: string;
		},
		name: string,
	): void {
		const { path = "", isSecure, remoteAddress: address } = request;
		if (watching.test(path)) return;
		const call = { atSeconds: Date.now() / 1000, address, name };
		this.#calls.set(isSecure ? "https" : "http", call);
		const own = ofPaths.find(([, pattern]) => pattern.test(path));
		if (own) this.#calls.set(own[0], call);
	}

	of(name: HttpInterface): LastCall | undefined {
		return this.#calls.get(name);
	}
}

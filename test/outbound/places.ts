/** A small web on this machine: servers, and a resolver with the answers of a test. */
import {
	createServer,
	type IncomingMessage,
	type Server,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { Outbound } from "../../runtime/outbound/outbound.js";
import type { OutboundRequest } from "../../runtime/outbound/outbound-request.js";

export interface Place {
	readonly port: number;
	/** Requests so far, as `GET /path host`. */
	readonly requests: string[];
	/** Breaks every connection and stops listening. */
	close(): void;
}

interface Parent {
	teardown(act: () => unknown): unknown;
}

export async function startPlace(
	t: Parent,
	answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Place> {
	const requests: string[] = [];
	const server: Server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url} ${request.headers.host}`);
		answer(request, response);
	});
	await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	t.teardown(close);
	return { port: (server.address() as AddressInfo).port, requests, close };
}

export const ownPort = 7100;

/** @param names answers of the resolver; other names do not exist. */
export function outboundOf(
	allow: readonly string[] = [],
	names: Readonly<Record<string, readonly string[]>> = {},
): Outbound {
	return new Outbound({
		allow,
		ownPort: () => ownPort,
		ownNetworks: () => [
			"127.0.0.1/8",
			"::1/128",
			"203.0.114.7/29",
			"192.168.1.20/24",
			"2001:4860:1:2::20/64",
		],
		resolve: async (host) => {
			const answer = names[host];
			if (!answer) throw new Error("ENOTFOUND");
			return answer;
		},
	});
}

/** The same, but nothing is given up as too slow: only the machine is slow here. */
export function patientOutbound(
	outbound: Outbound,
): Pick<Outbound, "send" | "objection"> {
	return {
		objection: (url) => outbound.objection(url),
		send: (url, { limits, ...request }) =>
			outbound.send(url, {
				...request,
				limits: {
					...limits,
					connectSecondsMax: 3600,
					headersSecondsMax: 3600,
					idleSecondsMax: 3600,
					pieceSecondsMax: 3600,
					secondsMax: 3600,
				},
			}),
	};
}

export const get: OutboundRequest = {
	method: "GET",
	redirectsMax: 3,
	limits: {
		// only the machine is slow here: tests of a limit set their own
		connectSecondsMax: 30,
		headersSecondsMax: 30,
		idleSecondsMax: 30,
		pieceSecondsMax: 30,
		secondsMax: 60,
		bytesMax: 1000,
	},
};

export async function textOf(
	outbound: Outbound,
	url: string,
	request = get,
): Promise<string> {
	const answer = await outbound.send(url, request);
	const pieces: Uint8Array[] = [];
	for await (const piece of answer.body()) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}

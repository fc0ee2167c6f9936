/** A plain GET on the WebSocket paths of calls, and a refused upgrade: the reason, in the envelope. */
import { Type } from "@sinclair/typebox";
import type { SocketEndpoint } from "../live-socket.js";
import type { Route } from "../router.js";
import { upgradeRequired } from "../upgrade-required.js";
import { callOptions } from "./call-options.js";

export function callRoutes(endpoint: SocketEndpoint): readonly Route[] {
	const errors = ["110001", "110002", "110003", "230001"] as const;
	const handle = upgradeRequired(endpoint);
	return [
		{
			method: "GET",
			path: "/v1/calls/ws",
			endpoint: "calls",
			access: "open", // the endpoint checks: a token may come as a subprotocol
			description: {
				summary: "WebSocket: the audio of a telephone call, one leg or both",
				query: callOptions,
				answer: Type.Null(),
				errors,
			},
			handle,
		},
		{
			method: "GET",
			path: "/v1/calls/:call/ws",
			endpoint: "calls",
			access: "open",
			description: {
				summary: "WebSocket: watch a telephone call that is going on",
				answer: Type.Null(),
				errors: [...errors, "220404"],
			},
			handle,
		},
	];
}

/** Answers a plain GET on a WebSocket path, and a refused upgrade: the reason, in the envelope. */
import { Type } from "@sinclair/typebox";
import type { Route } from "../router.js";
import { upgradeRequired } from "../upgrade-required.js";
import type { LiveEndpoint } from "./live-endpoint.js";

export function liveRoutes(endpoint: LiveEndpoint): readonly Route[] {
	return endpoint.paths.map((path) => ({
		method: "GET",
		path,
		endpoint: "asr_ws",
		access: "open", // the endpoint checks: a token may come as a subprotocol
		description: {
			summary: "WebSocket: speech recognition while it is spoken",
			answer: Type.Null(),
			errors: ["110001", "110002", "110003", "230001"],
		},
		handle: upgradeRequired(endpoint),
	}));
}

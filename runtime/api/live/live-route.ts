/** Answers a plain GET on a WebSocket path, and a refused upgrade: the reason, in the envelope. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import type { Route } from "../router.js";
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
		handle: async ({ request }) => {
			endpoint.admit(request);
			throw new CodedError(
				"230001",
				"this path takes WebSockets: connect with an upgrade",
			);
		},
	}));
}

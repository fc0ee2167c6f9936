/** A plain request to a path of WebSockets: why an upgrade would be refused, and otherwise what to do. */
import { CodedError } from "../errors.js";
import type { SocketEndpoint } from "./live-socket.js";
import type { Route } from "./router.js";

export function upgradeRequired(
	endpoint: Pick<SocketEndpoint, "admit"> | undefined,
): Route["handle"] {
	return async ({ request }) => {
		endpoint?.admit(request);
		throw new CodedError(
			"230001",
			"this path takes WebSockets: connect with an upgrade",
		);
	};
}

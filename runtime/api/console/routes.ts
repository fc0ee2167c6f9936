/** The console: its page, and the endpoints that only it needs. */
import type { Route } from "../router.js";
import type { ConsoleAssets } from "./assets.js";
import { pageRoutes } from "./page-routes.js";
import { type PairingParts, pairRoute } from "./pairing.js";
import { type ConsoleSessionParts, sessionRoutes } from "./sessions.js";

export interface ConsoleRouteParts extends PairingParts, ConsoleSessionParts {
	readonly assets: ConsoleAssets;
	readonly tokens: PairingParts["tokens"] & ConsoleSessionParts["tokens"];
}

export function consoleRoutes(parts: ConsoleRouteParts): readonly Route[] {
	return [
		...pageRoutes(parts.assets),
		pairRoute(parts),
		...sessionRoutes(parts),
	];
}

/** Discovery by Home Assistant's Supervisor, of the one service that it knows of: Wyoming. */
import { hostname } from "node:os";
import type { Config } from "../config/schema.js";
import { Discovery } from "../home-assistant/discovery.js";
import type { Logger } from "../log/log.js";

export class WyomingDiscovery {
	readonly #config: Config["supervisor"];
	readonly #discovery: Discovery;

	constructor(config: Config, log: Logger) {
		const { supervisor, state } = config;
		const token = supervisor.token || (process.env.SUPERVISOR_TOKEN ?? "");
		this.#config = supervisor;
		this.#discovery = new Discovery({
			supervisor: { url: supervisor.url, token },
			folder: state.dir,
			log,
		});
	}

	/** @param port of Wyoming; undefined where it is off. */
	start(port: number | undefined): void {
		const { discovery, host } = this.#config;
		const isOn = discovery && port !== undefined;
		this.#discovery.start(isOn ? uriOf(host || hostname(), port) : undefined);
	}

	stop(): Promise<void> {
		return this.#discovery.stop();
	}
}

function uriOf(host: string, port: number): string {
	return `tcp://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

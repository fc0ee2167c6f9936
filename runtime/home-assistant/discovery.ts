/**
 * Tells Home Assistant's Supervisor where a service of this add-on is: at each start, and tried again with growing pauses, since it may still be starting itself.
 *
 * What was told is kept on the disk. It is withdrawn when the service is turned off, and never at a stop: Home Assistant removes the integration with the message,
 * and with it what its user has set up.
 */
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { Type } from "@sinclair/typebox";
import { writeWhole } from "../disk/whole-file.js";
import { jsonOf } from "../json/json-parser.js";
import { fits } from "../json/json-schema.js";
import { backOff } from "../limits/back-off.js";
import type { Logger } from "../log/log.js";
import { Supervisor, type SupervisorAddress } from "./supervisor.js";

const service = "wyoming";
const fileName = "supervisor-discovery.json";
const firstPauseMs = 1000;
const longestPauseMs = 300_000;

const keptSchema = Type.Object({
	id: Type.String({ pattern: "^[A-Za-z0-9-]{1,64}$" }),
	uri: Type.String(),
});

export interface DiscoveryParts {
	readonly supervisor: SupervisorAddress;
	/** Of the state. */
	readonly folder: string;
	readonly log: Logger;
	/** Of the first pause; shorter in tests. */
	readonly pauseMs?: number;
}

export class Discovery {
	readonly #parts: DiscoveryParts;
	readonly #supervisor: Supervisor;
	readonly #file: string;
	readonly #abort = new AbortController();
	#work: Promise<void> = Promise.resolve();

	constructor(parts: DiscoveryParts) {
		this.#parts = parts;
		this.#supervisor = new Supervisor(parts.supervisor);
		this.#file = join(parts.folder, fileName);
	}

	/**
	 * Returns at once; never fails: without it the address has to be typed in.
	 * @param uri of the service, `tcp://host:10300`; undefined: it is off, and what was told before is withdrawn
	 */
	start(uri: string | undefined): void {
		this.#work = this.#settle(uri).catch((error: unknown) => {
			if (!this.#abort.signal.aborted)
				this.#parts.log.warn({ err: error }, "discovery given up");
		});
	}

	/** Resolves when nothing is left to be told. */
	async settled(): Promise<void> {
		await this.#work;
	}

	async stop(): Promise<void> {
		this.#abort.abort();
		await this.#work;
	}

	async #settle(uri: string | undefined): Promise<void> {
		const { log, supervisor } = this.#parts;
		const kept = await this.#kept();
		if (uri === undefined && !kept) return;
		if (supervisor.token === "") {
			if (uri !== undefined)
				log.warn(
					"no discovery: this is no add-on (SUPERVISOR_TOKEN is not set)",
				);
			return;
		}
		const { signal } = this.#abort;
		if (uri === undefined) {
			const id = kept?.id ?? "";
			await this.#untilDone(() => this.#supervisor.withdraw(id, signal));
			await rm(this.#file, { force: true });
			log.info({ service }, "withdrawn from Home Assistant's discovery");
			return;
		}
		const id = await this.#untilDone(() =>
			this.#supervisor.publish(service, { uri }, signal),
		);
		await writeWhole(this.#file, JSON.stringify({ id, uri }));
		log.info({ service, uri }, "told Home Assistant's discovery");
		// a message that the Supervisor has forgotten is not there to be withdrawn; one that it still has would offer the old address
		if (kept && kept.id !== id)
			await this.#untilDone(() => this.#supervisor.withdraw(kept.id, signal));
	}

	/** Each reason is logged once. */
	async #untilDone<T>(act: () => Promise<T>): Promise<T> {
		const { log, pauseMs: first = firstPauseMs } = this.#parts;
		const { signal } = this.#abort;
		const logged = new Set<string>();
		for (let failures = 0; ; failures++) {
			try {
				return await act();
			} catch (error) {
				if (signal.aborted) throw error;
				const reason = reasonOf(error);
				if (!logged.has(reason))
					log.warn({ service, reason }, "discovery failed, retrying later");
				logged.add(reason);
			}
			const ms = backOff(failures, first, longestPauseMs);
			await pause(ms, undefined, { signal });
		}
	}

	/** What was told last; undefined where the file is missing or damaged. */
	async #kept(): Promise<{ id: string; uri: string } | undefined> {
		try {
			const value = jsonOf(await readFile(this.#file, "utf8"));
			return fits(keptSchema, value) ? value : undefined;
		} catch {
			return undefined;
		}
	}
}

/** fetch says why in its cause. */
function reasonOf(error: unknown): string {
	const { message, cause } = error as Error;
	const inner = (cause as Error | undefined)?.message;
	const http = (error as { http?: number }).http;
	return [http, message, inner].filter((it) => it !== undefined).join(": ");
}

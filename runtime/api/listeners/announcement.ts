/**
 * Announces a listener on the local network by multicast DNS (RFC 6762, 6763): programs find it without its address being typed in. The library renames it where
 * another device has its name, and takes it back when the service stops.
 */
import { readdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { CiaoService, Responder } from "@homebridge/ciao";
import type { Logger } from "../../log/log.js";
import { isInternalNetwork } from "../../tls/device-names.js";
import { guardAnnouncement } from "./announcement-guard.js";

export interface AnnouncedListener {
	/** Of the service, without the underscore: `wyoming` is found as `_wyoming._tcp.local.` */
	readonly type: string;
	/** Of this instance; empty: the host name. */
	readonly name: string;
	/** It listens on; nothing is announced where only this machine can connect. */
	readonly host: string;
	readonly port: number;
}

const interfaceFolder = "/sys/class/net";
/** Ethernet and Wi-Fi, as the kernel's if_arp.h counts them. */
const ethernet = "1";
/** Goodbye is sent at once; a network that is gone must not hold up the stop. */
const goodbyeMsMax = 2000;

export class Announcement {
	readonly #log: Logger;
	#responder: Responder | undefined;
	#isOver = false;

	constructor(log: Logger) {
		this.#log = log;
	}

	/** Never fails: without it the address has to be typed in. */
	async start(listener: AnnouncedListener): Promise<void> {
		const { type, host, port } = listener;
		if (/^(127\.|::1$|localhost$)/.test(host)) return;
		const log = this.#log;
		try {
			const { getResponder } = await loadLibrary();
			if (this.#isOver) return;
			const interfaces = [...interfacesOf(host)];
			const responder = getResponder({ interface: interfaces });
			this.#responder = responder;
			guardAnnouncement(responder, log);
			const device = hostname().split(".")[0] || "earshot";
			const service: CiaoService = responder.createService({
				name: listener.name || device,
				type,
				port,
				hostname: `earshot-${device}`, // the plain one belongs to the system's own responder
				restrictedAddresses: interfaces, // the library adds the loopback interface
			});
			service.on("name-change", (name) =>
				log.warn({ name }, "another device has this name: announced as"),
			);
			await service.advertise();
			log.info({ type, port }, "announced on the local network");
		} catch (error) {
			log.warn({ err: error }, "can't announce on the local network");
		}
	}

	/** Says goodbye. */
	async stop(): Promise<void> {
		this.#isOver = true;
		const responder = this.#responder;
		this.#responder = undefined;
		if (!responder) return;
		let timer: NodeJS.Timeout | undefined;
		const late = new Promise((resolve) => {
			timer = setTimeout(resolve, goodbyeMsMax);
		});
		await Promise.race([responder.shutdown().catch(() => {}), late]);
		clearTimeout(timer);
	}
}

/** Only where it is needed. It sets process-wide hooks for source maps, which are for programs of its own kind: they are taken back. */
async function loadLibrary(): Promise<typeof import("@homebridge/ciao")> {
	const { prepareStackTrace } = Error;
	const { emit } = process;
	try {
		return await import("@homebridge/ciao");
	} finally {
		if (prepareStackTrace) Error.prepareStackTrace = prepareStackTrace;
		else Reflect.deleteProperty(Error, "prepareStackTrace");
		if (process.emit !== emit) process.emit = emit;
	}
}

/**
 * The library would start a process every few seconds to list them. Interfaces that are down are included: they may come up later.
 * @param host an address of one of them, or all.
 */
function interfacesOf(host: string): readonly string[] {
	if (host !== "0.0.0.0" && host !== "::") return [host];
	const names = readdirSync(interfaceFolder).filter(
		(name) =>
			!isInternalNetwork(name) &&
			readFileSync(join(interfaceFolder, name, "type"), "utf8").trim() ===
				ethernet,
	);
	return names.length > 0 ? names : ["lo"];
}

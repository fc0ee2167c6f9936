/** The fleet's configuration, checked before connecting: names that would break a topic, certificates that can't be read, keys without a certificate. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { createSecureContext } from "node:tls";
import { ConfigError } from "../config/config-error.js";
import type { Config } from "../config/schema.js";
import { Topics } from "./topics.js";

export type FleetConfig = Config["fleet"];

export interface BrokerAddress {
	readonly host: string;
	readonly port: number;
	readonly secure: boolean;
}

export interface TlsFiles {
	readonly ca?: string;
	readonly cert?: string;
	readonly key?: string;
}

export interface FleetSettings {
	readonly broker: BrokerAddress;
	/** Asked for each connection: certificates are renewed while a device runs. Never throws. */
	readonly tls: () => TlsFiles;
	readonly user: string | undefined;
	readonly password: string | undefined;
	readonly site: string;
	readonly device: string;
	readonly topics: Topics;
}

const ports = { "mqtt:": 1883, "mqtts:": 8883 } as const;

/** @returns undefined where no broker is configured. @throws ConfigError */
export function fleetSettings(config: FleetConfig): FleetSettings | undefined {
	if (config.url === "") return undefined;
	const broker = addressOf(config.url);
	const device = config.device || nameOfHost();
	if (config.site === "") throw new ConfigError("fleet.site must not be empty");
	if (config.password !== "" && config.user === "")
		throw new ConfigError("fleet.password requires fleet.user");
	return {
		broker,
		tls: renewedTls(config, broker.secure),
		user: config.user || undefined,
		password: config.password || undefined,
		site: config.site,
		device,
		topics: new Topics(config.site, device),
	};
}

function addressOf(text: string): BrokerAddress {
	if (!URL.canParse(text))
		throw new ConfigError(
			`fleet.url must be mqtt://HOST:PORT or mqtts://HOST:PORT, got ${JSON.stringify(text)}`,
		);
	const url = new URL(text);
	const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
	const port = Number(url.port) || ports[url.protocol as keyof typeof ports];
	return { host, port, secure: url.protocol === "mqtts:" };
}

function nameOfHost(): string {
	const name = hostname().split(".")[0] ?? "";
	if (/^[A-Za-z0-9_][A-Za-z0-9_-]{0,63}$/.test(name)) return name;
	throw new ConfigError(
		`fleet.device must name the device: the host name ${JSON.stringify(name)} can't be part of a topic`,
	);
}

/** @throws ConfigError. What can't be used later, such as a certificate whose key is not replaced yet, leaves what was used last. */
function renewedTls(config: FleetConfig, secure: boolean): () => TlsFiles {
	let last = tlsOf(config, secure);
	return () => {
		try {
			last = tlsOf(config, secure);
		} catch {} // the broker's answer says what is wrong with the last one
		return last;
	};
}

function tlsOf(config: FleetConfig, secure: boolean): TlsFiles {
	const given = (["ca_file", "cert_file", "key_file", "key"] as const).find(
		(it) => config[it] !== "",
	);
	if (given === undefined) return {};
	if (!secure) throw new ConfigError(`fleet.${given} requires mqtts://`);
	const hasKey = config.key !== "" || config.key_file !== "";
	if (hasKey !== (config.cert_file !== ""))
		throw new ConfigError(
			"fleet.cert_file and its key (fleet.key_file or fleet.key) must be set together",
		);
	const ca = read(config, "ca_file");
	const cert = read(config, "cert_file");
	const key = config.key || read(config, "key_file");
	const files = {
		...(ca && { ca }),
		...(cert && { cert }),
		...(key && { key }),
	};
	try {
		createSecureContext(files);
	} catch (cause) {
		const { message } = cause as Error;
		throw new ConfigError(
			`fleet.ca_file, cert_file and key can't be used together: ${message}`,
		);
	}
	return files;
}

function read(
	config: FleetConfig,
	name: "ca_file" | "cert_file" | "key_file",
): string | undefined {
	if (config[name] === "") return undefined;
	try {
		return readFileSync(config[name], "utf8");
	} catch (cause) {
		throw new ConfigError(
			`fleet.${name} can't be read: ${(cause as Error).message}`,
		);
	}
}

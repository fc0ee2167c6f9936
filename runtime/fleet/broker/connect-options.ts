/** What a connection to the broker is opened with: who connects, how, and what we tell the broker about ourselves. */
import { isIP } from "node:net";
import type { BrokerAddress, TlsFiles } from "../settings.js";

export interface ConnectionSettings {
	readonly broker: BrokerAddress;
	readonly tls: TlsFiles;
	readonly user: string | undefined;
	readonly password: string | undefined;
	readonly clientId: string;
	readonly keepaliveSeconds: number;
	/** Published by the broker when our connection is lost. */
	readonly will: { readonly topic: string; readonly payload: string };
}

const connectMsMax = 15_000;
/** Larger packets are not sent to us. */
const incomingBytesMax = 512 * 1024;
/** Commands and jobs that the broker may deliver before we have acknowledged them. */
const incomingAtOnce = 64;

/** Options of the mqtt package. */
export function connectOptions(settings: ConnectionSettings) {
	const { broker, tls, user, password, will } = settings;
	return {
		protocol: broker.secure ? ("mqtts" as const) : ("mqtt" as const),
		host: broker.host,
		port: broker.port,
		protocolVersion: 5 as const,
		clientId: settings.clientId,
		clean: true,
		reconnectPeriod: 0,
		resubscribe: false,
		queueQoSZero: false,
		connectTimeout: connectMsMax,
		keepalive: settings.keepaliveSeconds,
		...(user !== undefined && { username: user }),
		...(password !== undefined && { password }),
		...(broker.secure && {
			...tls,
			rejectUnauthorized: true,
			// an IP address can't be a server name (SNI)
			...(isIP(broker.host) === 0 && { servername: broker.host }),
		}),
		will: {
			...will,
			payload: Buffer.from(will.payload),
			qos: 1 as const,
			retain: true,
		},
		properties: {
			maximumPacketSize: incomingBytesMax,
			receiveMaximum: incomingAtOnce,
		},
	};
}

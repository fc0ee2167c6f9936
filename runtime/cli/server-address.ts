/** Where a program of this machine reaches the server. */

/** @param server where it listens; on all addresses: this machine's own is asked. @returns `http://127.0.0.1:7100` */
export function serverAddress({
	host,
	port,
}: {
	readonly host: string;
	readonly port: number;
}): string {
	const isAny = host === "0.0.0.0" || host === "::";
	const name = isAny ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host;
	return `http://${name}:${port}`;
}

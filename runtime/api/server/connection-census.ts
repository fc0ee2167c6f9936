/**
 * The connections to some ports, as reported by the kernel: the library reports neither whose connection has ended, nor when a WebSocket that it closed is really
 * gone. Reading it takes the kernel some milliseconds, in another thread: it is only read when it matters.
 */
import { readFile } from "node:fs/promises";
import { networkOf } from "../network-of.js";

export interface Census {
	/** Connections that take a descriptor of this process. */
	readonly total: number;
	/** Number of connections by `networkOf` of the remote address. */
	readonly byNetwork: ReadonlyMap<string, number>;
}

/** proc(5): addresses in hexadecimal, four bytes each in the machine's byte order; a connection without an owner has inode 0. */
const line =
	/^ *\d+: [0-9A-F]+:([0-9A-F]{4}) ([0-9A-F]+):[0-9A-F]{4} ([0-9A-F]{2}) \S+ \S+ \S+ +\d+ +\d+ (\d+)/;
const listening = "0A";

/** @returns undefined where the kernel does not report it. */
export async function connectionsTo(
	ports: readonly number[],
): Promise<Census | undefined> {
	const byNetwork = new Map<string, number>();
	let total = 0;
	let isKnown = false;
	for (const table of ["/proc/self/net/tcp", "/proc/self/net/tcp6"]) {
		const text = await readFile(table, "latin1").catch(() => undefined);
		if (text === undefined) continue;
		isKnown = true;
		for (const address of connectedTo(ports, text)) {
			const network = networkOf(address);
			byNetwork.set(network, (byNetwork.get(network) ?? 0) + 1);
			total++;
		}
	}
	return isKnown ? { total, byNetwork } : undefined;
}

/**
 * @param text a table of the kernel, which is read in parts: a connection may stand in it twice where others came or went meanwhile.
 * @returns the remote addresses
 */
export function* connectedTo(
	ports: readonly number[],
	text: string,
): Generator<string> {
	const seen = new Set<string>();
	for (const entry of text.split("\n")) {
		const [, local = "", remote = "", state, inode = ""] =
			line.exec(entry) ?? [];
		if (!ports.includes(Number.parseInt(local, 16))) continue;
		if (state === listening || inode === "0" || seen.has(inode)) continue;
		seen.add(inode);
		yield addressOf(remote);
	}
}

function addressOf(hex: string): string {
	const bytes = Buffer.from(hex, "hex");
	for (let at = 0; at < bytes.length; at += 4)
		bytes.subarray(at, at + 4).reverse();
	if (bytes.length === 4) return bytes.join(".");
	return (bytes.toString("hex").match(/.{4}/g) ?? []).join(":");
}

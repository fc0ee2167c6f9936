/** A refused upgrade: an HTTP answer instead of a WebSocket, with earshot's envelope if the server is earshot. */
import type { IncomingMessage } from "node:http";
import { RefusedError } from "./client-error.js";

const bodyBytesMax = 64 * 1024;

export async function readRefusal(
	response: IncomingMessage,
): Promise<RefusedError> {
	const http = response.statusCode ?? 0;
	const envelope = parsed(await readSome(response));
	const status = String(envelope?.status ?? "");
	const message = envelope?.message ?? response.statusMessage ?? "";
	return new RefusedError(
		http,
		status,
		`refused with HTTP ${http}: ${message}`,
	);
}

/** Reads the beginning of the body, which is enough, also of one that is truncated or endless. */
async function readSome(response: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	response.setTimeout(5000, () => response.destroy());
	try {
		for await (const chunk of response) {
			chunks.push(chunk as Buffer);
			bytes += (chunk as Buffer).length;
			if (bytes > bodyBytesMax) break;
		}
	} catch {
		// what has arrived is used
	}
	return Buffer.concat(chunks).toString();
}

function parsed(
	body: string,
): { status?: unknown; message?: string } | undefined {
	try {
		const value: unknown = JSON.parse(body);
		return typeof value === "object" && value !== null ? value : undefined;
	} catch {
		return undefined;
	}
}

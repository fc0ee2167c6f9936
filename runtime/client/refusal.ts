/**
 * A refused upgrade: an HTTP answer instead of a WebSocket, with earshot's envelope where it is earshot that answers.
 */
import type { IncomingMessage } from "node:http";
import { RefusedError } from "./client-error.js";

const bodyBytesMax = 64 * 1024;

export async function readRefusal(
	response: IncomingMessage,
): Promise<RefusedError> {
	const http = response.statusCode ?? 0;
	const envelope = parsed(await readSome(response));
	const status = String(envelope?.status ?? "");
	const says = envelope?.message ?? response.statusMessage ?? "";
	return new RefusedError(http, status, `refused with HTTP ${http}: ${says}`);
}

/** The beginning is enough to know; a body that breaks off or never ends is one too. */
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
		// what came is looked at
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

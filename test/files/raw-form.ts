/** Forms written byte by byte, as no client library would send them. */
import { connect, type Socket } from "node:net";
import type { RunningFiles } from "./running-files.js";

export const boundary = "------------------------earshot";

export const formType = `multipart/form-data; boundary=${boundary}`;

export interface Part {
	/** After `form-data; `. */
	readonly disposition: string;
	readonly type?: string;
	readonly body: string | Uint8Array;
}

export function partOf(name: string, body: string | Uint8Array): Part {
	return { disposition: `name="${name}"`, body };
}

export function filePart(fileName: string, body: string | Uint8Array): Part {
	return {
		disposition: `name="file"; filename="${fileName}"`,
		type: "application/octet-stream",
		body,
	};
}

export function formBytes(parts: readonly Part[], isEnded = true): Buffer {
	const pieces = parts.flatMap(({ disposition, type, body }) => [
		`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n`,
		type === undefined ? "\r\n" : `Content-Type: ${type}\r\n\r\n`,
		body,
		"\r\n",
	]);
	if (isEnded) pieces.push(`--${boundary}--\r\n`);
	return Buffer.concat(pieces.map((it) => Buffer.from(it)));
}

export interface RawAnswer {
	readonly http: number;
	readonly status: string;
	readonly message: string;
	readonly data: unknown;
}

/** @param contentType of the request; by default the form's. */
export async function uploadRaw(
	files: RunningFiles,
	body: Uint8Array,
	contentType = formType,
): Promise<RawAnswer> {
	const response = await fetch(`${files.url}/v1/asrfile/upload`, {
		method: "POST",
		headers: {
			Authorization: `Bearer ${files.token}`,
			"Content-Type": contentType,
		},
		body,
	});
	const answer = (await response.json()) as Omit<RawAnswer, "http">;
	return { http: response.status, ...answer };
}

/** A connection on which an upload of this length has begun. */
export function beginUpload(
	files: RunningFiles,
	bytes: number,
	token = files.token,
): Socket {
	const socket = connect(files.port, "127.0.0.1");
	socket.on("error", () => {});
	socket.write(
		[
			"POST /v1/asrfile/upload HTTP/1.1",
			"Host: a",
			`Authorization: Bearer ${token}`,
			`Content-Type: ${formType}`,
			`Content-Length: ${bytes}`,
			"\r\n",
		].join("\r\n"),
	);
	return socket;
}

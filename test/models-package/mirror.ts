/** Sources of models: files in a folder, and servers with typical failures. */
import { existsSync, readFileSync } from "node:fs";
import {
	createServer,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Test } from "tap";

export type Answer = (
	request: IncomingMessage,
	response: ServerResponse,
) => void;

/** A server of files, with special responses for some. */
export async function mirror(t: Test, folder: string) {
	const special = new Map<string, Answer>();
	const requests: string[] = [];
	const server = createServer((request, response) => {
		const name = (request.url ?? "").slice(1);
		requests.push(`${name} ${request.headers.range ?? ""}`.trim());
		const answer = special.get(name);
		if (answer) answer(request, response);
		else serve(folder, request, response);
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { url: `http://127.0.0.1:${port}`, special, requests };
}

function serve(
	folder: string,
	request: IncomingMessage,
	response: ServerResponse,
): void {
	const [name = ""] = (request.url ?? "").slice(1).split("?");
	const path = join(folder, name);
	if (!existsSync(path)) return void response.writeHead(404).end();
	const bytes = readFileSync(path);
	const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? "")?.[1]);
	if (!from) return void response.end(bytes);
	if (from >= bytes.length)
		return void response
			.writeHead(416, { "content-range": `bytes */${bytes.length}` })
			.end();
	response.writeHead(206, {
		"content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
	});
	response.end(bytes.subarray(from));
}

/** A tenth at a time. */
export function breaksOff(bytes: Buffer): Answer {
	const piece = Math.ceil(bytes.length / 10);
	return ({ headers }, response) => {
		const from = Number(/^bytes=(\d+)-$/.exec(headers.range ?? "")?.[1] ?? 0);
		const end = Math.min(bytes.length, from + piece);
		response.writeHead(from === 0 ? 200 : 206, {
			"content-length": bytes.length - from,
			...(from > 0 && {
				"content-range": `bytes ${from}-${bytes.length - 1}/${bytes.length}`,
			}),
		});
		response.write(bytes.subarray(from, end), () => {
			if (end < bytes.length) response.destroy();
			else response.end();
		});
	};
}

/** @param names of the edition, as headers. @param heeds whether it answers `If-Range`. */
export function edition(
	bytes: Buffer,
	names: Readonly<Record<string, string>>,
	heeds = true,
): Answer {
	const { etag, "last-modified": date } = names;
	return ({ headers }, response) => {
		const wanted = headers["if-range"];
		const isOther = heeds && wanted !== undefined && wanted !== (etag ?? date);
		const range = isOther ? "" : (headers.range ?? "");
		const from = Number(/^bytes=(\d+)-$/.exec(range)?.[1] ?? 0);
		const size = bytes.length;
		if (from > 0 && from >= size)
			return void response
				.writeHead(416, { "content-range": `bytes */${size}` })
				.end();
		const rest = { "content-range": `bytes ${from}-${size - 1}/${size}` };
		response.writeHead(from > 0 ? 206 : 200, {
			...names,
			"content-length": size - from,
			...(from > 0 && rest),
		});
		response.end(bytes.subarray(from));
	};
}

/** A server that breaks off after some bytes, and then is gone. */
export function closedAfter(
	count: number,
	bytes: Buffer,
	names: Readonly<Record<string, string>>,
): Answer {
	return ({ headers }, response) => {
		if (headers.range) return void response.writeHead(503).end();
		response.writeHead(200, { ...names, "content-length": bytes.length });
		response.write(bytes.subarray(0, count), () => response.destroy());
	};
}

/** A proxy that offers a server under a path of its own, and tells it nothing about that; or what Home Assistant tells. */
import { once } from "node:events";
import { createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface PrefixProxy {
	readonly url: string;
	close(): void;
}

/** As Home Assistant's ingress does it: the user is known, and the path said. @param port of the listener for it */
export function ingressProxy(port: number): Promise<PrefixProxy> {
	const prefix = "/api/hassio_ingress/fX-1_zQ9";
	return prefixProxy(`http://127.0.0.1:${port}`, prefix, {
		"x-ingress-path": prefix,
		"x-remote-user-name": "anna",
	});
}

/** @param prefix such as `/asr`. @param added headers that it adds */
export async function prefixProxy(
	server: string,
	prefix: string,
	added: Readonly<Record<string, string>> = {},
): Promise<PrefixProxy> {
	const { hostname, port } = new URL(server);
	const onward = ({ url = "", method = "", headers }: IncomingMessage) =>
		request({
			hostname,
			port,
			method,
			headers: { ...headers, ...added },
			path: url.slice(prefix.length) || "/",
		});
	const proxy = createServer((incoming, answer) => {
		if (!incoming.url?.startsWith(`${prefix}/`)) {
			answer.writeHead(404).end();
			return;
		}
		const forwarded = onward(incoming);
		forwarded.on("response", (response) => {
			answer.writeHead(response.statusCode ?? 500, response.headers);
			response.pipe(answer);
		});
		forwarded.on("error", () => answer.destroy());
		incoming.pipe(forwarded);
	});
	proxy.on("upgrade", (incoming, socket: Socket, head) => {
		const forwarded = onward(incoming);
		forwarded.on("upgrade", ({ rawHeaders }, other: Socket) => {
			const lines = rawHeaders.flatMap((name, i) =>
				i % 2 === 0 ? `${name}: ${rawHeaders[i + 1]}` : [],
			);
			socket.write(
				["HTTP/1.1 101 Switching Protocols", ...lines, "", ""].join("\r\n"),
			);
			other.write(head);
			socket.pipe(other).pipe(socket);
			for (const one of [socket, other]) one.on("error", () => other.destroy());
		});
		forwarded.on("error", () => socket.destroy());
		forwarded.on("response", () => socket.destroy());
		forwarded.end();
	});
	proxy.listen(0, "127.0.0.1");
	await once(proxy, "listening");
	return {
		url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${prefix}`,
		close: () => {
			proxy.close();
			proxy.closeAllConnections();
		},
	};
}

/** `earshot models add URL` on a network whose only way out is a proxy, as the environment names it. The URL's host exists nowhere but behind that proxy. */
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import t, { type Test } from "tap";
import { earshot } from "../cli/earshot.js";
import { secureServer } from "../fixtures/secure-server.js";
import { filesOf, tarGz } from "../models-package/made-archives.js";
import {
	writeTinyZipformer,
	zipformer2States,
} from "../published/tiny-graphs.js";

const file = "tiny-zipformer.tar.gz";
const host = "models.test";

async function listen(t: Test, server: Server): Promise<number> {
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	t.teardown(() => {
		server.closeAllConnections();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

/** @param originPort where tunnels lead to, whatever host is named. @param user who may use it. */
async function proxy(
	t: Test,
	bytes: Buffer,
	originPort: number,
	user?: string,
) {
	const requests: string[] = [];
	const allowed = user && `Basic ${Buffer.from(user).toString("base64")}`;
	const server = createServer((request, response) => {
		requests.push(`${request.method} ${request.url}`);
		response.end(bytes);
	});
	server.on("connect", (request, socket, head) => {
		requests.push(`CONNECT ${request.url}`);
		if (allowed && request.headers["proxy-authorization"] !== allowed) {
			socket.end("HTTP/1.1 407 Proxy Authentication Required\r\n\r\n");
			return;
		}
		const origin = connect(originPort, "127.0.0.1", () => {
			socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
			if (head.length > 0) origin.write(head);
		});
		origin.on("error", () => socket.destroy());
		socket.on("error", () => origin.destroy());
		socket.pipe(origin).pipe(socket);
	});
	return { port: await listen(t, server), requests };
}

t.test("models are fetched through the proxy of the environment", async (t) => {
	const place = t.testdir({ models: {} });
	writeTinyZipformer(join(place, "tiny"), zipformer2States(), 6);
	const bytes = tarGz(filesOf(join(place, "tiny"), "tiny-zipformer/"));
	const origin = await secureServer(
		t,
		{ dns: [host], addresses: [] },
		(_, response) => response.end(bytes),
	);
	const ca = join(place, "ca.crt");
	writeFileSync(ca, origin.ca);
	const add = (url: string, environment: Record<string, string>) =>
		earshot(
			[
				...["models", "add", url, "--replace"],
				...["--sha256", createHash("sha256").update(bytes).digest("hex")],
				...["--languages", "en", "--licence", "Apache-2.0"],
			],
			{
				EARSHOT_MODEL_DIR: join(place, "models"),
				NODE_EXTRA_CA_CERTS: ca,
				HTTPS_PROXY: "",
				HTTP_PROXY: "",
				ALL_PROXY: "",
				NO_PROXY: "",
				https_proxy: "",
				http_proxy: "",
				all_proxy: "",
				no_proxy: "",
				...environment,
			},
		);

	const { port, requests } = await proxy(t, bytes, origin.port, "me:secret");
	const secure = await add(`https://${host}/${file}`, {
		HTTPS_PROXY: `me:secret@127.0.0.1:${port}`,
	});
	t.match(secure, { code: 0, err: /^$/ });
	t.ok(existsSync(join(place, "models", "tiny-zipformer")));
	const plain = await add(`http://${host}/${file}`, {
		http_proxy: `http://127.0.0.1:${port}`,
	});
	t.match(plain, { code: 0, err: /^$/ });
	t.strictSame(requests, [`CONNECT ${host}:443`, `GET http://${host}/${file}`]);

	const refused = await add(`https://${host}/${file}`, {
		HTTPS_PROXY: `http://other:secret@127.0.0.1:${port}`,
	});
	t.equal(refused.code, 1);
	t.match(
		refused.err,
		`the proxy http://127.0.0.1:${port} returned 407: it wants a name and a password`,
	);
	t.notMatch(refused.err, /secret/);

	const socks = await add(`https://${host}/${file}`, {
		ALL_PROXY: `socks5://me:sec@ret@127.0.0.1:${port}`,
	});
	t.match(socks.err, "socks5://127.0.0.1:");
	t.notMatch(socks.err, /sec@|ret@/);

	requests.length = 0;
	const direct = await add(`http://127.0.0.1:${port}/${file}`, {
		http_proxy: "http://127.0.0.1:1",
		no_proxy: "localhost,127.0.0.1",
	});
	t.match(direct, { code: 0 });
	t.strictSame(requests, [`GET /${file}`]);
});

/** Home Assistant's ingress: a port without a login that only its proxy may reach. Addresses of this machine stand for the proxy (127.0.0.2) and for others. */
import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import t from "tap";
import { WebSocket } from "ws";
import { Ingress } from "../../runtime/api/ingress/ingress.js";
import { ConfigError } from "../../runtime/config/config-error.js";
import { loggerTo } from "../../runtime/log/log.js";
import { readSocket } from "../api/read-socket.js";
import { type RunningApi, startApi } from "../api/running-api.js";
import { eventually } from "../fixtures/eventually.js";

const proxy = "127.0.0.2";
const prefix = "/api/hassio_ingress/fX-1_zQ9";
const byIngress = { "X-Ingress-Path": prefix, "X-Remote-User-Name": "anna" };

interface Answer {
	readonly http: number | undefined;
	readonly body: string;
}

/** @param from the address that the request comes from */
function ask(
	port: number,
	path: string,
	from: string,
	headers: Record<string, string> = {},
	body?: string | Uint8Array,
): Promise<Answer> {
	return new Promise((answered, failed) => {
		const method = body === undefined ? "GET" : "POST";
		const request = httpRequest({
			host: "127.0.0.1",
			port,
			path,
			method,
			headers,
			localAddress: from,
			agent: false,
		});
		request.on("error", failed);
		request.on("response", async (response) => {
			let text = "";
			for await (const piece of response) text += piece;
			answered({ http: response.statusCode, body: text });
		});
		request.end(body);
	});
}

async function headersOf(
	port: number,
	path: string,
	from: string,
	headers: Record<string, string>,
): Promise<Record<string, unknown>> {
	const request = httpRequest({
		host: "127.0.0.1",
		port,
		path,
		headers,
		localAddress: from,
		agent: false,
	}).end();
	const [response] = await once(request, "response");
	response.resume();
	return response.headers;
}

function start(t: Parameters<typeof startApi>[0]): Promise<RunningApi> {
	return startApi(t, {
		ingress: { enabled: true, host: "127.0.0.1", allow: [proxy] },
	});
}

t.test("the ingress listener", async (t) => {
	const running = await start(t);
	const port = running.api.ingressPort;
	t.not(port, running.port);
	const lists = "/v1/hotwords";

	await t.test("a user of Home Assistant needs no token", async (t) => {
		for (const path of ["/healthz", "/v1/openapi.json", lists]) {
			const answer = await ask(port, path, proxy, byIngress);
			t.equal(answer.http, 200, `${path}: ${answer.body.slice(0, 200)}`);
		}
		const recognized = await ask(
			...([port, "/v1/asr/api?lang_type=en", proxy] as const),
			...([byIngress, new Uint8Array(3200)] as const),
		);
		t.equal(recognized.http, 200, recognized.body);
	});

	await t.test("the console may be framed, and is signed in", async (t) => {
		const policyOf = async (at: number, from: string) => {
			const headers = await headersOf(at, "/console/", from, byIngress);
			return /frame-ancestors [^;]*/.exec(
				String(headers["content-security-policy"]),
			)?.[0];
		};
		t.equal(await policyOf(port, proxy), "frame-ancestors 'self'");
		t.equal(await policyOf(running.port, proxy), "frame-ancestors 'none'");
		const session = await ask(port, "/v1/console/session", proxy, byIngress);
		t.match(session, { http: 200, body: /"name":"anna"/ });
	});

	await t.test("what a user makes is the user's", async (t) => {
		const made = await ask(
			...([port, "/v1/asr/api?lang_type=en&audio_url=wav", proxy] as const),
			...([byIngress, new Uint8Array(3200)] as const),
		);
		const link = new URL(JSON.parse(made.body).data.audio_url);
		t.ok(link.pathname.startsWith(`${prefix}/v1/`), link.pathname);
		const path = link.pathname.slice(prefix.length);
		const ben = { ...byIngress, "X-Remote-User-Name": "ben" };
		for (const user of [byIngress, ben])
			t.equal((await ask(port, path, proxy, user)).http, 200, "administrators");
		const token = await running.makeToken(["asr"], 60, "anna");
		const headers = { Authorization: `Bearer ${token}` };
		const other = await ask(running.port, path, "127.0.0.1", headers);
		t.equal(other.http, 404, "a token of that name is somebody else");
	});

	await t.test("without Home Assistant's path there is no user", async (t) => {
		const others = [
			{},
			{ "X-Remote-User-Name": "anna" },
			{ "X-Ingress-Path": "" },
			{ "X-Ingress-Path": "/api/hassio_ingress/" },
			{ "X-Ingress-Path": "/api/hassio_ingress/a/../b" },
			{ "X-Ingress-Path": `${prefix}/` },
			{ "X-Ingress-Path": `${prefix}, ${prefix}` },
			{ "X-Ingress-Path": `//evil.example${prefix}` },
			{ "X-Ingress-Path": `/api/hassio_ingress/${"a".repeat(101)}` },
		];
		for (const headers of others)
			t.match(
				await ask(port, lists, proxy, headers),
				{ http: 401, body: /110001/ },
				JSON.stringify(headers),
			);
	});

	await t.test("the page of another origin has no user", async (t) => {
		const json = { ...byIngress, "Content-Type": "application/json" };
		const body = '{"name":"kitchen","lang_type":"en","words":["earshot"]}';
		const from = (origin: string) =>
			ask(port, lists, proxy, { ...json, Origin: origin }, body);
		t.match(await from(`http://127.0.0.1:${port}`), { http: 200 });
		for (const origin of ["https://evil.example", "null", "http://127.0.0.1"])
			t.match(await from(origin), { http: 401, body: /110001/ }, origin);
	});

	await t.test(
		"any other address is closed before a byte is read",
		async (t) => {
			for (const from of ["127.0.0.1", "127.0.0.3"]) {
				const socket = connect({ host: "127.0.0.1", port, localAddress: from });
				socket.write("GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
				t.equal(await readSocket(socket), "", from);
				const refused = ask(port, "/healthz", from, byIngress);
				await t.rejects(refused, { code: /ECONNRESET|EPIPE/ }, from);
			}
			const metrics = await (await fetch(`${running.url}/metrics`)).text();
			t.match(
				metrics,
				'earshot_endpoint_refused_total{endpoint="ingress",why="not allowed"} 4',
			);
			const lines = running.log.filter((it) => /ingress\.allow/.test(it));
			t.equal(lines.length, 2, "each network is logged once");
		},
	);

	await t.test("its headers mean nothing on the other port", async (t) => {
		for (const from of [proxy, "127.0.0.1"]) {
			const answer = await ask(running.port, lists, from, byIngress);
			t.match(answer, { http: 401, body: /110001/ }, from);
		}
	});

	await t.test("a WebSocket passes, with the page's own origin", async (t) => {
		const url = `ws://127.0.0.1:${port}/v1/asr/ws`;
		const forwarded = {
			"X-Forwarded-Host": "ha.example:8123",
			"X-Forwarded-Proto": "https",
		};
		const open = (headers: Record<string, string>) =>
			new WebSocket(url, { localAddress: proxy, headers });
		const page = { Origin: "https://ha.example:8123", ...forwarded };
		const socket = open({ ...byIngress, ...page });
		await once(socket, "open");
		socket.close();
		await once(socket, "close");
		for (const [headers, http] of [
			[{ ...byIngress, ...forwarded, Origin: "https://evil.example" }, 403],
			[page, 401],
		] as const) {
			const refused = open(headers);
			refused.on("error", () => {});
			const [, response] = await once(refused, "unexpected-response");
			t.equal(response.statusCode, http);
			response.destroy();
		}
	});

	await t.test("open connections are counted and end", async () => {
		await eventually("no connection", async () => {
			const text = await (await fetch(`${running.url}/metrics`)).text();
			return text.includes(
				'earshot_endpoint_connections{endpoint="ingress"} 0',
			);
		});
	});
});

t.test("off means off", async (t) => {
	const running = await startApi(t);
	t.equal(running.api.ingressPort, 0);
	t.match(await ask(running.port, "/v1/hotwords", "127.0.0.1", byIngress), {
		http: 401,
	});
});

t.test("who Home Assistant says it is", (t) => {
	const ingress = new Ingress({
		settings: { allow: ["172.30.32.2"] },
		open: () => 0,
		log: loggerTo(process.stderr, "fatal"),
	});
	const addressed = (
		headers: Record<string, string>,
		remoteAddress = "172.30.32.2",
	) =>
		ingress.addressed({
			remoteAddress,
			isSecure: false,
			header: (name) =>
				({ host: "ha:8123", "x-ingress-path": prefix, ...headers })[name],
		});
	const nameOf = (headers: Record<string, string>) =>
		addressed(headers).signedIn?.name;
	t.equal(nameOf({ "x-remote-user-name": "anna" }), "anna");
	t.equal(nameOf({ "x-remote-user-name": "안나 ü" }), "안나 ü");
	for (const name of ["", " ", "a\nb", "a".repeat(101)])
		t.equal(nameOf({ "x-remote-user-name": name }), "home-assistant", name);
	t.equal(addressed({}).prefix, prefix);
	t.equal(addressed({}, "::ffff:172.30.32.2").signedIn?.name, "home-assistant");
	for (const other of ["172.30.32.1", "172.30.32.3", "127.0.0.1", "", "::1"])
		t.match(addressed({}, other), { prefix: "", signedIn: undefined }, other);
	t.throws(
		() =>
			new Ingress({
				settings: { allow: ["anybody"] },
				open: () => 0,
				log: loggerTo(process.stderr, "fatal"),
			}),
		new ConfigError(
			'ingress.allow must contain addresses and networks such as 192.168.0.0/16, got "anybody"',
		),
	);
	t.end();
});

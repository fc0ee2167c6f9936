/** `server.trusted_proxies`: what a proxy says of the client's address counts only from proxies that are trusted. */
import { once } from "node:events";
import t from "tap";
import WebSocket from "ws";
import { TrustedProxies } from "../../runtime/api/addressed.js";
import { ConfigError } from "../../runtime/config/config-error.js";
import { LiveClient } from "../live/live-client.js";
import { type RunningApi, startApi } from "./running-api.js";

const byProxy = {
	"X-Forwarded-Host": "asr.example",
	"X-Forwarded-Proto": "https",
	"X-Forwarded-Prefix": "/speech/",
};
const page = { Origin: "https://asr.example" };

async function linkOf(api: RunningApi, headers: Record<string, string>) {
	const { data } = await api.recognize("lang_type=en&audio_url=wav", {
		body: Buffer.alloc(3200),
		headers: { Authorization: `Bearer ${api.token}`, ...headers },
	});
	return String((data as { audio_url?: string }).audio_url);
}

/** @returns the HTTP status of the refusal. */
async function refusalOf(api: RunningApi, headers: Record<string, string>) {
	const url = `${api.url.replace("http", "ws")}/v1/asr/ws`;
	const socket = new WebSocket(url, [`bearer.${api.token}`], { headers });
	socket.on("error", () => {});
	const [, response] = await once(socket, "unexpected-response");
	response.resume();
	return response.statusCode;
}

t.test("a trusted proxy says what the client addressed", async (t) => {
	const api = await startApi(t, {
		server: { trusted_proxies: ["127.0.0.0/8"] },
	});
	t.match(await linkOf(api, byProxy), /^https:\/\/asr\.example\/speech\/v1\//);
	t.match(
		await linkOf(api, { "X-Forwarded-Proto": "https" }),
		new RegExp(`^https://127\\.0\\.0\\.1:${api.port}/v1/`),
	);
	const protocols = [`bearer.${api.token}`];
	const headers = { ...page, ...byProxy };
	const client = await LiveClient.open(api.url, { protocols, headers });
	client.socket.close();
	t.equal(await refusalOf(api, page), 403);
	t.equal(
		await refusalOf(api, { ...headers, "X-Forwarded-Host": "b.example" }),
		403,
	);
});

t.test("from anybody else these headers mean nothing", async (t) => {
	const api = await startApi(t, { server: { trusted_proxies: ["10.0.0.7"] } });
	t.ok((await linkOf(api, byProxy)).startsWith(`${api.url}/v1/`));
	t.equal(await refusalOf(api, { ...page, ...byProxy }), 403);
});

t.test("what was addressed, header by header", (t) => {
	const proxies = new TrustedProxies(["10.0.0.7", "fd00::/8"]);
	const addressed = (
		headers: Record<string, string>,
		remoteAddress = "10.0.0.7",
	) =>
		proxies.addressed({
			remoteAddress,
			isSecure: false,
			header: (name) => ({ host: "inner:7100", ...headers })[name],
		});
	const own = { host: "inner:7100", isSecure: false, prefix: "" };
	const forwarded = { "x-forwarded-proto": "https" };
	const secure = { ...own, isSecure: true };
	t.same(addressed({}), own);
	t.same(addressed(forwarded), secure);
	t.same(addressed({ "x-forwarded-proto": "wss" }), secure);
	t.same(addressed({ "x-forwarded-proto": "ws" }), own);
	t.same(addressed(forwarded, "fd00::1"), secure);
	t.same(addressed(forwarded, "::ffff:10.0.0.7"), secure);
	for (const other of ["10.0.0.8", "127.0.0.1", "", "unix"])
		t.same(addressed(forwarded, other), own, other);
	t.equal(
		addressed({ "x-forwarded-host": "evil.example, outer.example" }).host,
		"outer.example",
		"the proxy's own word is the last one",
	);
	for (const host of ["", "a b", "a/b", 'a"b', "a@b"])
		t.equal(addressed({ "x-forwarded-host": host }).host, undefined, host);
	t.equal(addressed({ "x-ingress-path": "/api/x_-9" }).prefix, "/api/x_-9");
	for (const prefix of ["x", "//evil.example", "/a//b", "/a b", "/%2e", "/"])
		t.equal(addressed({ "x-forwarded-prefix": prefix }).prefix, "", prefix);
	t.throws(
		() => new TrustedProxies(["10.0.0.0/40"]),
		new ConfigError(
			'server.trusted_proxies must contain addresses and networks such as 192.168.0.0/16, got "10.0.0.0/40"',
		),
	);
	t.end();
});

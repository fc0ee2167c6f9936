/** The console as it is served: what a browser may do with it, and where it is found. */
import t from "tap";
import { startApi } from "./running-api.js";

const asPage = {
	headers: { accept: "text/html,*/*" },
	redirect: "manual",
} as const;

t.test("the page of the console", async (t) => {
	const api = await startApi(t);
	const get = (path: string, init: RequestInit = {}) =>
		fetch(api.url + path, init);

	t.test(
		"may load nothing from elsewhere, and be shown in no frame",
		async (t) => {
			const page = await get("/console/");
			t.equal(page.status, 200);
			t.equal(await page.text(), "<!doctype html>small");
			t.equal(page.headers.get("cache-control"), "no-store");
			const policy = new Map(
				(page.headers.get("content-security-policy") ?? "")
					.split("; ")
					.map((it) => {
						const [name = "", ...values] = it.split(" ");
						return [name, values.join(" ")];
					}),
			);
			t.equal(policy.get("default-src"), "'none'");
			t.equal(policy.get("script-src"), "'self'");
			t.equal(policy.get("style-src"), "'self'");
			t.equal(policy.get("frame-ancestors"), "'none'");
			t.equal(policy.get("form-action"), "'none'");
			t.equal(policy.get("base-uri"), "'none'");
			const host = `127.0.0.1:${api.port}`;
			t.equal(policy.get("connect-src"), `'self' ws://${host} wss://${host}`);
			t.notMatch([...policy.values()].join(" "), /unsafe|\*/);
			t.match(Object.fromEntries(page.headers), {
				"x-content-type-options": "nosniff",
				"referrer-policy": "no-referrer",
				"permissions-policy": "microphone=(self)",
				"cross-origin-opener-policy": "same-origin",
				"x-frame-options": "DENY",
			});
		},
	);

	t.test(
		"its files stay in browsers for ever, compressed or not",
		async (t) => {
			for (const encoding of [
				"gzip",
				"identity",
				"gzip;q=0",
				"br, gzip;q=0.5",
			]) {
				const file = await get("/console/main-ABC.js", {
					headers: { "accept-encoding": encoding },
				});
				t.equal(await file.text(), "let small = 1;", encoding);
				t.equal(
					file.headers.get("cache-control"),
					"public, max-age=31536000, immutable",
				);
				t.equal(file.headers.get("vary"), "Accept-Encoding");
				const isZipped = /gzip(?!;q=0$)/.test(encoding);
				t.equal(
					file.headers.get("content-encoding"),
					isZipped ? "gzip" : null,
					encoding,
				);
			}
			const head = await get("/console/main-ABC.js", { method: "HEAD" });
			t.ok(Number(head.headers.get("content-length")) > 0);
		},
	);

	t.test("nothing else is a file of it", async (t) => {
		for (const path of [
			"main.js",
			"..%2fpackage.json",
			"__proto__",
			"constructor",
			"%00",
		])
			t.match(
				await api.ask(`/console/${path}`),
				{ http: 404, status: "100001" },
				path,
			);
	});

	t.test("whoever asks for a page is led there, others are not", async (t) => {
		const led = await get("/", asPage);
		t.equal(led.status, 302);
		t.equal(led.headers.get("location"), "console/");
		t.equal(
			(await get("/console", asPage)).headers.get("location"),
			"console/",
		);
		t.match(await api.ask("/"), { http: 404, status: "100001" });
	});
});

t.test("behind a proxy it stays under the proxy's path", async (t) => {
	const api = await startApi(t, { server: { trusted_proxies: ["127.0.0.1"] } });
	const led = await fetch(`${api.url}/`, {
		...asPage,
		headers: { ...asPage.headers, "x-forwarded-prefix": "/asr" },
	});
	t.equal(led.headers.get("location"), "/asr/console/");
});

t.test("in Home Assistant it is a frame, and nobody signs in", async (t) => {
	const api = await startApi(t, {
		ingress: {
			enabled: true,
			host: "127.0.0.1",
			port: 0,
			allow: ["127.0.0.1"],
		},
	});
	const panel = `http://127.0.0.1:${api.api.ingressPort}`;
	const headers = {
		"x-ingress-path": "/api/hassio_ingress/abc",
		"x-remote-user-name": "lucas",
	};
	const page = await fetch(`${panel}/console/`, { headers });
	t.match(
		page.headers.get("content-security-policy"),
		/frame-ancestors 'self'/,
	);
	t.equal(page.headers.get("x-frame-options"), "SAMEORIGIN");
	const who = await fetch(`${panel}/v1/console/session`, { headers });
	t.match(await who.json(), {
		data: { signed_in: true, name: "lucas", scopes: ["admin"] },
	});
	const led = await fetch(`${panel}/`, {
		...asPage,
		headers: { ...asPage.headers, ...headers },
	});
	t.equal(led.headers.get("location"), "/api/hassio_ingress/abc/console/");
	const other = await fetch(`${panel}/v1/console/session`);
	t.match(await other.json(), { data: { signed_in: false } });
});

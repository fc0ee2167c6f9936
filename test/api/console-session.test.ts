/** Signing in to the console: codes, sessions, and what a page of another site can't do with them. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";
import { WebSocket } from "ws";
import { makePairing } from "../../runtime/appliance/pairing.js";
import { loadConfig } from "../../runtime/config/load.js";
import { day, march } from "../clock/fake-machine.js";
import { runningClock } from "../clock/running-clock.js";
import { knownSecrets } from "../secrets/known-secrets.js";
import { type RunningApi, startApi } from "./running-api.js";

const nowSeconds = () => Date.now() / 1000;

async function codeOf(
	api: RunningApi,
	scopes: readonly ("asr" | "admin")[],
	seconds = 600,
) {
	const expiresSeconds = nowSeconds() + seconds;
	const row = { name: "console", scopes, expiresSeconds };
	return api.store.pairings.create(row, nowSeconds());
}

function pair(api: RunningApi, code: unknown) {
	return api.ask("/v1/console/pair", {
		method: "POST",
		body: JSON.stringify({ code }),
	});
}

/** A session's cookie. */
async function signIn(
	api: RunningApi,
	token: string,
	headers: Record<string, string> = {},
) {
	const answer = await api.ask("/v1/console/session", {
		method: "POST",
		headers: { ...headers, authorization: `Bearer ${token}` },
	});
	t.equal(answer.http, 200);
	const header = answer.headers.get("set-cookie") ?? "";
	const cookie = header.split(";")[0] ?? "";
	knownSecrets.add("a session", cookie.split("=")[1] ?? "");
	return { header, cookie, answer };
}

t.test("a code is exchanged for a token, once", async (t) => {
	const api = await startApi(t);
	const code = await codeOf(api, ["asr"]);
	t.match(code, /^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
	const typed = code.toLowerCase().replace("-", " ");
	const paired = await pair(api, typed);
	t.match(paired, { http: 200, data: { scopes: ["asr"] } });
	const { token } = paired.data as { token: string };
	knownSecrets.add("a token", token);
	const models = await fetch(`${api.url}/v1/models`, {
		headers: { authorization: `Bearer ${token}` },
	});
	t.equal(models.status, 200);
	t.match(await pair(api, code), { http: 401, status: "110002" });
	const late = await codeOf(api, ["admin"], -1);
	t.match(await pair(api, late), { http: 401, status: "110002" });
	t.match(await pair(api, 12), { http: 400, status: "200002" });
});

t.test(
	"a code is good for ten minutes, also where the clock is set meanwhile",
	async (t) => {
		const dir = mkdtempSync(join(tmpdir(), "earshot-clock-"));
		t.teardown(() => rmSync(dir, { recursive: true, force: true }));
		const { machine, clock, run, set } = await runningClock(t, dir);
		const api = await startApi(t, { clock });
		const newCode = () =>
			makePairing({
				pairings: api.store.pairings,
				name: "console",
				scopes: ["asr"],
				config: loadConfig({ environment: {} }).values,
				clock,
			});
		await set(0); // without a battery, until a time server is reached
		const first = await newCode();
		const second = await newCode();
		machine.synchronised = true;
		await set(march + 200 * day);
		await run(300);
		const third = await newCode();
		const paired = await pair(api, first.code);
		t.match(paired, { http: 200, data: { scopes: ["asr"] } });
		knownSecrets.add("a token", (paired.data as { token: string }).token);
		await run(400);
		t.match(await pair(api, second.code), { http: 401, status: "110002" });
		t.match(await pair(api, third.code), { http: 200 });
	},
);

t.test("wrong codes are slowed and counted", async (t) => {
	const api = await startApi(t);
	const good = await codeOf(api, ["asr"]);
	let wrong = 0;
	let slowed = await pair(api, "AAAA-AAAA");
	// one more each twelve seconds that this process waits for a processor
	for (; slowed.http === 401; slowed = await pair(api, "AAAA-AAAA")) {
		t.equal(slowed.status, "110002");
		wrong++;
	}
	t.ok(wrong >= 5, `${wrong} were looked at`);
	t.match(slowed, { http: 429, status: "100005" });
	t.ok(Number(slowed.headers.get("retry-after")) <= 12);
	t.match(await pair(api, good), { http: 429, status: "100005" });
	const metrics = await (await fetch(`${api.url}/metrics`)).text();
	const counted = (result: string, count: number) =>
		t.match(
			metrics,
			`earshot_console_pairings_total{result="${result}"} ${count}\n`,
		);
	counted("wrong", wrong);
	counted("slowed", 2);
});

t.test("a session", async (t) => {
	const api = await startApi(t);
	const token = await api.makeToken(["asr", "hotwords"]);
	const { header, cookie, answer } = await signIn(api, token);
	const own = { cookie, origin: api.url, "x-earshot-console": "1" };
	const cookieName = `earshot_session_http_${api.port}`; // cookies know no ports
	const list = { lang_type: "en-US", words: ["earshot"] };
	const create = (headers: Record<string, string>) =>
		api.ask("/v1/hotwords", {
			method: "POST",
			headers,
			body: JSON.stringify(list),
		});

	t.test(
		"is a cookie that no script reads and no other site sends",
		async (t) => {
			t.match(
				header,
				/^earshot_session_http_\d+=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
			);
			t.match(answer.data, { signed_in: true, scopes: ["asr", "hotwords"] });
			const who = await api.ask("/v1/console/session", { headers: { cookie } });
			t.match(who.data, {
				signed_in: true,
				name: "tester",
				device: { name: "tester" },
			});
			const nobody = await api.ask("/v1/console/session");
			t.match(nobody.data, { signed_in: false, required: true, scopes: [] });
		},
	);

	t.test(
		"may do what its token may, for the console's own requests",
		async (t) => {
			t.match(await create(own), { http: 200 });
			t.match(await api.ask("/v1/hotwords", { headers: { cookie } }), {
				http: 200,
			});
			t.match(await api.ask("/v1/asrfile/tasks", { headers: own }), {
				http: 404,
			});
			t.match(await create({ ...own, cookie: `${cookieName}=wrong` }), {
				http: 401,
			});
		},
	);

	t.test("is of no use to the page of another site", async (t) => {
		const { origin, "x-earshot-console": mark, ...noMark } = own;
		const others = {
			"without the header": { cookie, origin },
			"without an origin": { cookie, "x-earshot-console": mark },
			"another origin": { ...own, origin: "http://evil.example" },
			"another port": { ...own, origin: `http://127.0.0.1:${api.port + 1}` },
			"no origin at all": { ...own, origin: "null" },
		};
		for (const [name, headers] of Object.entries(others))
			t.match(await create(headers), { http: 403, status: "110003" }, name);
		t.ok(noMark);
		const read = { cookie, origin: "http://evil.example" };
		t.match(await api.ask("/v1/hotwords", { headers: read }), { http: 403 });
		const who = await api.ask("/v1/console/session", { headers: read });
		t.match(who.data, { signed_in: false });
	});

	t.test("opens sockets from its own page only", async (t) => {
		const opened = (origin: string | undefined) =>
			new Promise<boolean>((done) => {
				const socket = new WebSocket(`ws://127.0.0.1:${api.port}/v1/asr/ws`, {
					headers: { cookie, ...(origin && { origin }) },
				});
				socket.on("open", () => {
					socket.close();
					done(true);
				});
				socket.on("error", () => done(false));
			});
		t.equal(await opened(api.url), true);
		t.equal(await opened("http://evil.example"), false);
		t.equal(await opened(undefined), false);
	});

	t.test("makes no other session, and is no token", async (t) => {
		const session = cookie.split("=")[1] ?? "";
		const asToken = { authorization: `Bearer ${session}` };
		t.match(await api.ask("/v1/hotwords", { headers: asToken }), { http: 401 });
		const again = await api.ask("/v1/console/session", {
			method: "POST",
			headers: asToken,
		});
		t.match(again, { http: 401 });
		const asCookie = { cookie: `${cookieName}=${token}` };
		t.match(await api.ask("/v1/hotwords", { headers: asCookie }), {
			http: 401,
		});
	});

	t.test("ends when it is ended", async (t) => {
		const other = await signIn(api, token);
		const ended = await api.ask("/v1/console/session", {
			method: "DELETE",
			headers: { ...own, cookie: other.cookie },
		});
		t.equal(ended.http, 200);
		t.match(
			ended.headers.get("set-cookie"),
			/^earshot_session_http_\d+=; .*Max-Age=0/,
		);
		const after = { headers: { cookie: other.cookie } };
		t.match(await api.ask("/v1/hotwords", after), { http: 401 });
		t.match(await api.ask("/v1/hotwords", { headers: { cookie } }), {
			http: 200,
		});
	});

	t.test("ends with its token", async (t) => {
		await api.store.tokens.revoke("tester", nowSeconds());
		t.match(await api.ask("/v1/hotwords", { headers: { cookie } }), {
			http: 401,
		});
	});
});

t.test("sessions share the rate limit of their token", async (t) => {
	const auth = { rate_per_second: 0.001, rate_burst: 5 };
	const api = await startApi(t, { auth });
	const token = await api.makeToken(["hotwords"]);
	const cookies: string[] = [];
	for (let i = 0; i < 3; i++) cookies.push((await signIn(api, token)).cookie);
	const ask = async (cookie = "") =>
		(await api.ask("/v1/hotwords", { headers: { cookie } })).status;
	const [first, second, third] = cookies;
	t.equal(await ask(first), "000000");
	t.equal(await ask(second), "000000");
	for (const cookie of [first, second, third])
		t.equal(await ask(cookie), "100005");
});

t.test("a token has fifty sessions, the last ones", async (t) => {
	const api = await startApi(t);
	const token = await api.makeToken(["hotwords", "admin"]);
	const other = await signIn(api, await api.makeToken(["hotwords"]));
	const cookies: string[] = [];
	for (let i = 0; i < 52; i++) cookies.push((await signIn(api, token)).cookie);
	const isIn = async (cookie = "") =>
		(await api.ask("/v1/hotwords", { headers: { cookie } })).http === 200;
	t.same(
		await Promise.all(cookies.map(isIn)),
		cookies.map((_, at) => at >= 2),
	);
	t.ok(await isIn(other.cookie), "those of others stay");
	const headers = { authorization: `Bearer ${token}` };
	const { data } = await api.ask("/v1/tokens", { headers });
	const listed = data as { is_session: boolean; created: number }[];
	t.equal(listed.filter((it) => it.is_session).length, 51);
	t.equal(listed.length, 54, "with the tokens, and that of every test");
});

t.test("over HTTPS behind a proxy a session", async (t) => {
	const api = await startApi(t, { server: { trusted_proxies: ["127.0.0.1"] } });
	const proxied = {
		"x-forwarded-proto": "https",
		"x-forwarded-prefix": "/asr",
	};
	const token = await api.makeToken(["hotwords"]);
	const { cookie, header } = await signIn(api, token, proxied);
	const plain = await signIn(api, token);

	t.test("is for its path, and secure", async (t) => {
		t.match(header, /^earshot_session_\d+=.*; Path=\/asr\/; .*; Secure$/);
	});

	// browsers keep what is Secure from plain HTTP, which couldn't replace it either
	t.test("stands beside that of plain HTTP", async (t) => {
		t.not(cookie.split("=")[0], plain.cookie.split("=")[0]);
		const both = `${cookie}; ${plain.cookie}`;
		const isIn = async (headers: Record<string, string>) =>
			(await api.ask("/v1/hotwords", { headers })).http === 200;
		t.notOk(await isIn({ cookie }));
		t.notOk(await isIn({ ...proxied, cookie: plain.cookie }));
		const own = { origin: api.url, "x-earshot-console": "1" };
		await api.ask("/v1/console/session", {
			method: "DELETE",
			headers: { ...own, cookie: both },
		});
		t.notOk(await isIn({ cookie: both }));
		t.ok(await isIn({ ...proxied, cookie: both }), "the other one goes on");
	});
});

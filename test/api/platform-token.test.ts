import t from "tap";
import type { AppRow } from "../../runtime/store/apps.js";
import { nextUuid } from "../fixtures/ids.js";
import { type RunningApi, startApi } from "./running-api.js";
import {
	nowSeconds as now,
	platformTokenPath as path,
	signed,
} from "./signed-request.js";

const post = (api: RunningApi, body: unknown) =>
	api.ask(path, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: typeof body === "string" ? body : JSON.stringify(body),
	});

/** Requested by a clock with this offset, within one second: an offset of 300 seconds becomes 301 or 299 in the next. */
async function postedAt(api: RunningApi, app: AppRow, offSeconds: number) {
	for (;;) {
		const second = now();
		const answer = await post(api, signed(app, second + offSeconds));
		if (now() === second) return answer;
	}
}

async function withApp(t: Parameters<typeof startApi>[0], auth = {}) {
	const api = await startApi(t, {
		auth: { token_ttl_seconds: 3600, ...auth },
	});
	return { api, app: await api.store.apps.create("robot", now()) };
}

t.test(
	"a signed request gets a token that works, and revokes no older one",
	async (t) => {
		const { api, app } = await withApp(t);
		const sinceSeconds = now();
		const first = await post(api, signed(app));
		t.match(first, { http: 200, status: "000000" });
		const second = await post(api, {
			...signed(app),
			sdk: "unknown keys are ignored",
		});
		const untilSeconds = now();
		for (const answer of [first, second]) {
			const data = answer.data as {
				token: string;
				expireTime: number;
				expiration_time: number;
			};
			t.match(data, { app_id: app.id, token: /^[\w-]{43}$/ });
			t.type(data.expireTime, "number");
			t.equal(data.expiration_time, data.expireTime);
			const issuedSeconds = data.expireTime - 3600;
			t.ok(issuedSeconds >= sinceSeconds && issuedSeconds <= untilSeconds);
			const used = await api.recognize("lang_type=en", {
				headers: { Authorization: `Bearer ${data.token}` },
			});
			t.match(used, { http: 200 });
		}
		t.notMatch(api.log.join(""), (first.data as { token: string }).token);
		t.notMatch(api.log.join(""), app.secret);
	},
);

t.test(
	"a nonce is valid once, and only used up by a valid signature",
	async (t) => {
		const { api, app } = await withApp(t);
		const request = signed(app);
		const forged = {
			...request,
			signature: Buffer.alloc(20).toString("base64"),
		};
		t.match(await post(api, forged), { http: 401, status: "110002" });
		const [one, two] = await Promise.all([
			post(api, request),
			post(api, request),
		]);
		t.same([one.http, two.http].sort(), [200, 401], "also at the same moment");
		t.match(await post(api, request), {
			http: 401,
			status: "110002",
			message: "signatureNonce was used before",
		});
		t.match(await post(api, { ...request, signatureNonce: nextUuid() }), {
			http: 200,
		});
	},
);

t.test(
	"an application has no more tokens than auth.app_tokens_max, and each keeps working",
	async (t) => {
		const { api, app } = await withApp(t, { app_tokens_max: 2 });
		const issue = async () => {
			const answer = await post(api, signed(app));
			return (answer.data as { token: string }).token;
		};
		const { database } = api.store;
		const issued = [await issue(), await issue()];
		const nonces = database.table("nonces").count({});
		const refused = await post(api, signed(app));
		t.match(refused, {
			http: 429,
			status: "100005",
			message:
				/^the application robot has 2 tokens in force, and auth\.app_tokens_max is 2: /,
			data: null,
		});
		t.equal(refused.headers.get("retry-after"), "600");
		t.equal(database.table("nonces").count({}), nonces, "nothing is written");
		for (const token of issued) {
			const headers = { Authorization: `Bearer ${token}` };
			const used = await api.recognize("lang_type=en", { headers });
			t.match(used, { http: 200 });
		}
		const other = await api.store.apps.create("other", now());
		t.match(await post(api, signed(other)), { http: 200 });
		const [row] = api.store.tokens.list().filter((it) => it.name === "robot");
		t.equal(await api.store.tokens.revoke(row?.id ?? "", now()), 1);
		t.match(await post(api, signed(app)), { http: 200 });
		t.match(await post(api, signed(app)), { http: 429 });
		const { tokens } = api.store;
		t.equal(tokens.countOfApp(app.id, now()), 2);
		t.equal(tokens.countOfApp(app.id, now() + 3601), 0, "all have expired");
		await tokens.removeDead(now() + 3601, 86_400);
		t.equal(database.table("tokens.of-apps").count({}), 0, "no trace is left");
		t.same(
			tokens.list().map((it) => it.name),
			["tester"],
			"nor are they listed any more",
		);
	},
);

t.test("a request with a wrong clock gets the server's time", async (t) => {
	const { api, app } = await withApp(t);
	for (const off of [-301, 301, -1e6, 1e12]) {
		t.match(await postedAt(api, app, off), {
			http: 400,
			status: "200002",
			message:
				/^timestamp must be within 300 seconds of the server's time 1\d{9} \(20\d\d-/,
		});
	}
	for (const off of [-300, 300])
		t.match(await postedAt(api, app, off), { http: 200 });
});

t.test(
	"unknown and revoked applications and wrong signatures give the same answer",
	async (t) => {
		const { api, app } = await withApp(t);
		const good = signed(app);
		const other = await api.store.apps.create("other", now());
		const wrong = [
			{ ...good, app_id: "nobody" },
			{ ...good, app_id: other.id },
			{ ...good, app_id: "x".repeat(3000) },
			{ ...good, signature: "x" },
			{ ...good, signature: good.signature.toLowerCase() },
			{ ...good, timestamp: good.timestamp - 1 },
		];
		for (const body of wrong)
			t.match(await post(api, body), {
				http: 401,
				status: "110002",
				message: "app_id or signature is wrong",
				data: null,
			});
		await api.store.apps.revoke("robot", now());
		t.match(await post(api, signed(app)), { http: 401, status: "110002" });
	},
);

t.test(
	"a missing field, a wrong type and invalid JSON are each reported",
	async (t) => {
		const { api, app } = await withApp(t);
		const good = signed(app);
		for (const key of Object.keys(good))
			t.match(await post(api, { ...good, [key]: null }), {
				http: 400,
				status: "200001",
				message: `${key} is required`,
			});
		const wrong: [object, RegExp][] = [
			[
				{ timestamp: String(good.timestamp) },
				/^timestamp must be an integer, got "\d+"$/,
			],
			[{ timestamp: 1.5 }, /^timestamp must be an integer, got 1\.5$/],
			[{ app_id: 7 }, /^app_id must be a string that is not empty, got 7$/],
			[
				{ signature: [] },
				/^signature must be a string that is not empty, got \[\]$/,
			],
			[
				{ signatureNonce: "n".repeat(2000) },
				/^signatureNonce must be a string of 1 to 1024 characters, got "n/,
			],
		];
		for (const [change, message] of wrong)
			t.match(await post(api, { ...good, ...change }), {
				http: 400,
				status: "200002",
				message,
			});
		for (const body of ["", "{", "nonsense", '{"a":1}}', "\u0000"])
			t.match(await post(api, body), {
				http: 400,
				status: "200003",
				message: "body is not valid JSON in UTF-8",
			});
		for (const body of ["[]", "null", "7", '"x"'])
			t.match(await post(api, body), {
				http: 400,
				status: "200003",
				message: "body must be a JSON object",
			});
		const latin = await api.ask(path, {
			method: "POST",
			body: new Uint8Array([0x22, 0xe4, 0x22]),
		});
		t.match(latin, { http: 400, status: "200003" });
		t.match(await post(api, `"${"x".repeat(100_000)}"`), {
			http: 413,
			status: "200004",
		});
		t.match(await post(api, "[".repeat(4097)), {
			http: 413,
			status: "200004",
			message: /at most 4096 bytes/,
		});
		t.match(await post(api, "[".repeat(4096)), {
			http: 400,
			status: "200003",
		});
		t.match(await api.ask(path), { http: 405, status: "100002" });
	},
);

t.test("an application that is revoked meanwhile gets no token", async (t) => {
	const { api, app } = await withApp(t);
	const { nonces, apps, tokens } = api.store;
	const use = nonces.use.bind(nonces);
	nonces.use = async (...given) => {
		await apps.revoke(app.id, now());
		return use(...given);
	};
	t.match(await post(api, signed(app)), { http: 401, status: "110002" });
	const left = tokens.list().filter((it) => it.appId === app.id);
	t.same(
		left.filter((it) => it.revokedSeconds === null),
		[],
	);
});

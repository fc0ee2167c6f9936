import t from "tap";
import { startApi } from "./running-api.js";

t.test("a request without a valid token is refused", async (t) => {
	const api = await startApi(t);
	const post = async (
		authorization?: string,
		path = "/v1/asr/api?lang_type=en",
	) =>
		api.ask(path, {
			method: "POST",
			body: "audio",
			...(authorization !== undefined && {
				headers: { Authorization: authorization },
			}),
		});
	const malformed = [
		undefined,
		"",
		api.token,
		`bearer ${api.token}`,
		`BEARER ${api.token}`,
		`Bearer  ${api.token}`,
		`Bearer ${api.token} x`,
		`Bearer\t${api.token}`,
		`Basic ${api.token}`,
		"Bearer",
		"Bearer ",
	];
	for (const authorization of malformed) {
		const answer = await post(authorization);
		t.match(answer, { http: 401, status: "110001" }, `${authorization}`);
		t.equal(answer.headers.get("www-authenticate"), "Bearer");
	}
	const expired = await api.makeToken(["asr"], -1);
	for (const wrong of ["x", expired, `${api.token}x`, "y".repeat(9000), "ü"])
		t.match(await post(`Bearer ${wrong}`), {
			http: 401,
			status: /^11000[12]$/,
		});
	t.match(await post(`Bearer ${expired}`), { status: "110002" });
	t.equal(api.lane.opened.length, 0, "no slot was taken");
	t.match(await post(`Bearer ${api.token}`), { http: 200 });
});

t.test(
	"a token is only valid for its scopes; admin is valid for all",
	async (t) => {
		const api = await startApi(t);
		const ask = async (token: string) =>
			api.recognize("lang_type=en", {
				headers: { Authorization: `Bearer ${token}` },
			});
		const files = await api.makeToken(["files", "hotwords"]);
		t.match(await ask(files), {
			http: 403,
			status: "110003",
			message: /scope asr/,
		});
		t.match(await ask(await api.makeToken(["admin"])), { http: 200 });
	},
);

t.test("a revoked token stops working at once", async (t) => {
	const api = await startApi(t);
	t.match(await api.recognize("lang_type=en"), { http: 200 });
	await api.store.tokens.revoke("tester", 1);
	t.match(await api.recognize("lang_type=en"), { http: 401, status: "110002" });
});

t.test("auth.required=false allows requests without a token", async (t) => {
	const api = await startApi(t, { auth: { required: false } });
	const answer = await api.ask("/v1/asr/api?lang_type=en", {
		method: "POST",
		body: "a",
	});
	t.match(answer, { http: 200 });
	const from = (origin: string) =>
		api.ask("/v1/asr/api?lang_type=en", {
			method: "POST",
			body: "a",
			headers: { Origin: origin },
		});
	t.match(await from("http://evil.example"), { http: 403, status: "110003" });
	t.match(await from(api.url), { http: 200 }, "a page of its own");
});

t.test(
	"more requests than its rate: 100005 with Retry-After, for that token alone",
	async (t) => {
		const api = await startApi(t, {
			auth: { rate_per_second: 0.001, rate_burst: 3 },
		});
		for (let index = 0; index < 3; index++)
			t.match(await api.recognize("lang_type=en"), { http: 200 });
		const answer = await api.recognize("lang_type=en");
		t.match(answer, { http: 429, status: "100005" });
		t.ok(Number(answer.headers.get("retry-after")) > 900);
		const other = {
			headers: { Authorization: `Bearer ${await api.makeToken(["asr"])}` },
		};
		t.match(await api.recognize("lang_type=en", other), { http: 200 });
	},
);

t.test("a token in the wrong place does not reach the log", async (t) => {
	const api = await startApi(t);
	const { token } = api;
	await api.ask(`/v1/asr/${token}`);
	await api.recognize(`lang_type=en&${token}=1&access_token=${token}`);
	const signed = { method: "POST", body: JSON.stringify({ [token]: token }) };
	await api.ask("/platform/v1/auth/online/token", signed);
	t.match(api.log.join(""), /\/v1\/asr\/\(long\)/);
	t.notMatch(api.log.join(""), token);
});

/** Tokens and applications over the API: what the command line does, for administrators. */
import t from "tap";
import { knownSecrets } from "../secrets/known-secrets.js";
import { startApi } from "./running-api.js";

interface Shown {
	readonly id: string;
	readonly name: string;
	readonly state: string;
	readonly last_use: { readonly endpoint: string } | null;
}

t.test("tokens and applications", async (t) => {
	const api = await startApi(t);
	const admin = await api.makeToken(["admin"], 86_400, "boss");
	const by = (token: string, method = "GET", body?: unknown): RequestInit => ({
		method,
		headers: { authorization: `Bearer ${token}` },
		...(body !== undefined && { body: JSON.stringify(body) }),
	});
	const list = async () =>
		(await api.ask("/v1/tokens", by(admin))).data as readonly Shown[];

	t.test("only an administrator sees them", async (t) => {
		for (const path of ["/v1/tokens", "/v1/apps", "/v1/logs"]) {
			t.match(await api.ask(path, by(api.token)), {
				http: 403,
				status: "110003",
			});
			t.match(await api.ask(path), { http: 401 });
		}
	});

	t.test("a token is made, used, listed and revoked", async (t) => {
		const request = { name: " kiosk ", scopes: ["asr", "status"], days: 1 };
		const made = await api.ask("/v1/tokens", by(admin, "POST", request));
		t.equal(made.http, 200);
		const { id, token } = made.data as { id: string; token: string };
		knownSecrets.add("a token", token);
		t.match(await api.ask("/v1/status", by(token)), { http: 200 });
		const shown = (await list()).find((it) => it.id === id);
		t.match(shown, {
			name: "kiosk",
			state: "valid",
			scopes: ["asr", "status"],
			last_use: { endpoint: "/v1/status" },
		});
		t.notMatch(JSON.stringify(await list()), token);
		const session = await api.ask("/v1/console/session", {
			...by(token, "POST"),
		});
		t.equal(session.http, 200);
		const ofKiosk = async () =>
			(await list()).filter(
				(it) => it.name === "kiosk" && it.state === "valid",
			);
		t.equal((await ofKiosk()).length, 2);
		const revoked = await api.ask(`/v1/tokens/${id}`, by(admin, "DELETE"));
		t.equal(revoked.http, 200);
		t.match(await api.ask("/v1/status", by(token)), { http: 401 });
		t.equal((await list()).find((it) => it.id === id)?.state, "revoked");
		t.same(await ofKiosk(), [], "its sessions as well");
		for (const other of [id, "tester", "000000000000"])
			t.match(await api.ask(`/v1/tokens/${other}`, by(admin, "DELETE")), {
				status: "200002",
			});
		t.match(await api.ask("/v1/models/x", by(api.token)), { http: 404 });
	});

	t.test("a wrong request makes none", async (t) => {
		const before = (await list()).length;
		const wrong: unknown[] = [
			{ name: "x" },
			{ name: "x", scopes: [] },
			{ name: "x", scopes: ["root"] },
			{ name: " ", scopes: ["asr"] },
			{ name: "a\nb", scopes: ["asr"] },
			{ name: "x", scopes: ["asr"], days: 0 },
			{ name: "x", scopes: ["asr"], days: 40_000 },
			[],
		];
		for (const body of wrong)
			t.match(
				await api.ask("/v1/tokens", by(admin, "POST", body)),
				{ http: 400 },
				JSON.stringify(body),
			);
		t.equal((await list()).length, before);
	});

	t.test("an application is made and revoked with its tokens", async (t) => {
		const made = await api.ask(
			"/v1/apps",
			by(admin, "POST", { name: "rooms" }),
		);
		const { app_id, secret } = made.data as { app_id: string; secret: string };
		knownSecrets.add("a secret", secret);
		t.match((await api.ask("/v1/apps", by(admin))).data, [
			{ app_id, name: "rooms", state: "valid" },
		]);
		const issued = await api.store.tokens.create({
			name: "rooms",
			scopes: ["status"],
			appId: app_id,
			nowSeconds: Date.now() / 1000,
			ttlSeconds: 1000,
		});
		knownSecrets.add("a token", issued.token);
		t.match(await api.ask("/v1/status", by(issued.token)), { http: 200 });
		const removed = await api.ask(`/v1/apps/${app_id}`, by(admin, "DELETE"));
		t.equal(removed.http, 200);
		t.match(await api.ask("/v1/status", by(issued.token)), { http: 401 });
		t.match(await api.ask(`/v1/apps/${app_id}`, by(admin, "DELETE")), {
			status: "200002",
		});
	});
});

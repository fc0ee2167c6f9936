/** What is remembered of the use of tokens. */
import { mock } from "node:test";
import t from "tap";
import { LastUse } from "../../runtime/api/access/last-use.js";
import type { TokenUse } from "../../runtime/store/token-uses.js";
import { listeningLog } from "../engine/fake-lane.js";
import { startApi } from "./running-api.js";

const log = listeningLog(() => {});

t.test("a use is known after a restart", async (t) => {
	const api = await startApi(t);
	const token = await api.makeToken(["status"], 1000, "kiosk");
	const headers = { authorization: `Bearer ${token}` };
	t.match(await api.ask("/v1/status", { headers }), { http: 200 });
	await api.api.stop();
	const kiosk = api.store.tokens.list().find((it) => it.name === "kiosk");
	const restarted = new LastUse(api.store.tokenUses, log);
	t.match(restarted.of(kiosk?.id ?? ""), { endpoint: "/v1/status" });
});

t.test("many uses are written once", async (t) => {
	mock.timers.enable({ apis: ["setTimeout"] });
	t.teardown(() => mock.timers.reset());
	const written: (readonly TokenUse[])[] = [];
	const kept = {
		read: () => [{ id: "before", atSeconds: 1, endpoint: "/v1/logs" }],
		keep: async (uses: readonly TokenUse[]) => {
			written.push(uses);
		},
	};
	const lastUse = new LastUse(kept, log);
	mock.timers.tick(3_600_000);
	await lastUse.keep();
	t.same(written, [], "nothing has changed");
	for (let i = 0; i < 100; i++) lastUse.note("kiosk", `/v1/${i}`);
	mock.timers.tick(3_600_000);
	t.match(written, [[{ id: "before" }, { id: "kiosk", endpoint: "/v1/99" }]]);
	lastUse.note("kiosk", "/v1/status");
	await lastUse.keep();
	t.equal(written.length, 2);
});

t.test("tokens that come and go push out no others", async (t) => {
	const api = await startApi(t);
	const ask = (token: string) =>
		api.ask("/v1/status", { headers: { authorization: `Bearer ${token}` } });
	const yearly = await api.makeToken(["status"], 1000, "yearly");
	t.match(await ask(yearly), { http: 200 });
	const app = await api.store.apps.create("calls", Date.now() / 1000);
	const request = {
		name: "calls",
		scopes: ["status"] as const,
		nowSeconds: Date.now() / 1000,
		ttlSeconds: 1000,
		appId: app.id,
	};
	const issued = await Promise.all(
		Array.from({ length: 1000 }, () => api.store.tokens.create(request)),
	);
	const answers = [];
	for (const { token } of issued) answers.push((await ask(token)).http);
	t.same([...new Set(answers)], [200]);
	await api.api.stop();
	const restarted = new LastUse(api.store.tokenUses, log);
	const lastUseOf = (name: string) =>
		api.store.tokens
			.list()
			.filter((it) => it.name === name)
			.map(({ id }) => restarted.of(id))
			.filter((it) => it !== undefined);
	t.match(lastUseOf("yearly"), [{ endpoint: "/v1/status" }]);
	t.equal(lastUseOf("calls").length, 999, "of those the oldest is forgotten");
});

t.test("uses that a version before kept push out no others", async (t) => {
	const api = await startApi(t);
	const uses = Array.from({ length: 1000 }, (_, i) => ({
		id: `gone${i}`,
		atSeconds: 1,
		endpoint: "/v1/status",
	}));
	await api.store.tokenUses.keep(uses);
	const lastUse = new LastUse(api.store.tokenUses, log);
	lastUse.note("issued", "/v1/status", true);
	lastUse.note("yearly", "/v1/logs", false);
	await lastUse.keep();
	const restarted = new LastUse(api.store.tokenUses, log);
	t.match(restarted.of("issued"), { endpoint: "/v1/status" });
	t.match(restarted.of("yearly"), { endpoint: "/v1/logs" });
	t.equal(restarted.of("gone0"), undefined);
	t.ok(restarted.of("gone2"));
});

t.test("a disk that is full is said, and asked again", async (t) => {
	const said: string[] = [];
	let isFull = true;
	let written: readonly TokenUse[] = [];
	const full = {
		read: () => [],
		keep: async (uses: readonly TokenUse[]) => {
			if (isFull) throw new Error("full");
			written = uses;
		},
	};
	const lastUse = new LastUse(
		full,
		listeningLog(({ message }) => said.push(message)),
		() => 1_800_000_000,
	);
	lastUse.note("kiosk", "/v1/status");
	await lastUse.keep();
	t.same(said, ["failed to write when tokens were used"]);
	const use = { endpoint: "/v1/status", atSeconds: 1_800_000_000 };
	t.match(lastUse.of("kiosk"), use);
	isFull = false;
	await lastUse.keep(); // as at the stop
	t.match(written, [use]);
});

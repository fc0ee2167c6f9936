import { readFileSync, statSync } from "node:fs";
import t from "tap";
import { openStore } from "../../runtime/store/open-store.js";

const now = 1_700_000_000;
const request = {
	name: "kiosk-3",
	scopes: ["asr"],
	nowSeconds: now,
	ttlSeconds: 60,
} as const;

t.test(
	"a token works until it expires or is revoked, by name or id",
	async (t) => {
		const store = await openStore({ dir: t.testdir(), as: "serve" });
		t.teardown(() => store.close());
		t.equal(store.tokens.isEmpty(), true);
		const first = await store.tokens.create(request);
		const second = await store.tokens.create({ ...request, name: "kiosk-4" });
		t.equal(store.tokens.isEmpty(), false);
		t.match(first.token, /^[A-Za-z0-9_-]{43}$/, "256 bits");
		t.equal(store.tokens.findValid(first.token, now + 59)?.name, "kiosk-3");
		t.equal(store.tokens.findValid(first.token, now + 60), undefined);
		t.equal(store.tokens.findValid(`${first.token}x`, now), undefined);
		t.equal(await store.tokens.revoke("kiosk-3", now), 1);
		t.equal(await store.tokens.revoke("kiosk-3", now), 0, "once is enough");
		t.equal(store.tokens.findValid(first.token, now), undefined);
		t.ok(
			store.tokens.findValid(second.token, now),
			"the other one still works",
		);
		t.equal(await store.tokens.revoke(second.row.id, now), 1);
		t.same(
			store.tokens.list().map((row) => row.revokedSeconds),
			[now, now],
		);
	},
);

t.test("expired tokens are removed, others are not", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "serve" });
	t.teardown(() => store.close());
	await store.tokens.create(request);
	const long = await store.tokens.create({ ...request, ttlSeconds: 600 });
	t.equal(await store.tokens.removeDead(now + 300, 200), 1);
	t.same(
		store.tokens.list().map((row) => row.id),
		[long.row.id],
	);
});

t.test("an ended session leaves nothing", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "serve" });
	t.teardown(() => store.close());
	const { tokens } = store;
	const parent = await tokens.create({ ...request, ttlSeconds: 600 });
	const begin = async () => {
		const life = { nowSeconds: now, ttlSeconds: 60 };
		const made = await tokens.createSession(parent.token, now, life);
		t.ok(made);
		return made?.token ?? "";
	};
	const [left, revoked, late] = [await begin(), await begin(), await begin()];
	await tokens.endSession(left);
	t.equal(tokens.list().length, 3);
	t.equal(tokens.findValid(left, now), undefined);
	await tokens.endSession(parent.token);
	t.ok(tokens.findValid(parent.token, now), "a token is no session");
	await tokens.revoke(tokens.findValid(revoked, now)?.id ?? "", now);
	t.equal(await tokens.removeDead(now + 1, 3600), 1);
	t.ok(tokens.findValid(late, now + 59));
	t.equal(await tokens.removeDead(now + 61, 3600), 1);
	t.same(
		tokens.list().map(({ id }) => id),
		[parent.row.id],
	);
	t.equal(store.database.table("tokens.of-apps").count({}), 0);
});

t.test(
	"neither the token nor a part of it is in any file, and no other user may read the files",
	async (t) => {
		const dir = `${t.testdir()}/state`;
		const store = await openStore({ dir, as: "serve" });
		const { token } = await store.tokens.create(request);
		const app = await store.apps.create("robot", now);
		await store.close();
		const bytes = readFileSync(`${dir}/store.mdb`);
		t.equal(bytes.includes(token.slice(0, 12)), false);
		t.equal(bytes.includes(app.secret), true, "an HMAC key can't be a hash");
		t.equal(statSync(dir).mode & 0o777, 0o700);
		t.equal(statSync(`${dir}/store.mdb`).mode & 0o777, 0o600);
	},
);

t.test("applications are found by id until they are revoked", async (t) => {
	const store = await openStore({ dir: t.testdir(), as: "serve" });
	t.teardown(() => store.close());
	const app = await store.apps.create("robot", now);
	t.equal(store.apps.findValid(app.id)?.secret, app.secret);
	t.equal(store.apps.findValid("x".repeat(5000)), undefined);
	t.equal(store.apps.findValid(""), undefined);
	t.same(await store.apps.revoke("robot", now), [app.id]);
	t.equal(store.apps.findValid(app.id), undefined);
	t.equal(store.apps.list().length, 1);
});

t.test(
	"a nonce is valid once for each application, and removed after its time",
	async (t) => {
		const store = await openStore({ dir: t.testdir(), as: "serve" });
		t.teardown(() => store.close());
		const long = "n".repeat(100_000);
		t.equal(await store.nonces.use("a", long, now + 300), true);
		t.equal(await store.nonces.use("a", long, now + 300), false);
		t.equal(await store.nonces.use("b", long, now + 300), true);
		t.equal(await store.nonces.removeExpired(now + 300), 0);
		t.equal(await store.nonces.removeExpired(now + 301), 2);
		t.equal(await store.nonces.use("a", long, now + 900), true);
	},
);

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import t from "tap";
import { appCommand } from "../../runtime/cli/apps.js";
import { readChosenToken } from "../../runtime/cli/chosen-token.js";
import { parseScopes } from "../../runtime/cli/scopes.js";
import { checkName } from "../../runtime/cli/store-visit.js";
import { parseTtl } from "../../runtime/cli/tokens.js";
import { updateCommand } from "../../runtime/cli/update.js";
import { openStore } from "../../runtime/store/open-store.js";
import type { TokenRow } from "../../runtime/store/token-row.js";
import { startApi } from "../api/running-api.js";
import { earshot, earshotIn } from "./earshot.js";
import { parsed } from "./parsed.js";

t.test(
	"a token created on the command line works in the running server at once, and is revoked as fast",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const sinceSeconds = Date.now() / 1000;
		const made = await earshotIn(
			dir,
			"token",
			"create",
			"--name",
			"kiosk-3",
			"--ttl",
			"1h",
			"--scope",
			"asr",
		);
		t.match(made, { code: 0, out: /^[\w-]{43}\n$/, err: /^[^\n]+\n$/ });
		t.notMatch(made.err, made.out.trim());
		const headers = { Authorization: `Bearer ${made.out.trim()}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 200 });
		const row = api.store.tokens.list().find((it) => it.name === "kiosk-3");
		const createdSeconds = row?.createdSeconds ?? 0;
		t.ok(createdSeconds >= sinceSeconds, "to a fraction of a second");
		t.match(await earshotIn(dir, "token", "revoke", "kiosk-3"), {
			code: 0,
			out: "1 revoked\n",
		});
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		const list = await earshotIn(dir, "token", "list");
		t.match(list.out, /kiosk-3 +asr +revoked/);
		t.notMatch(list.out, made.out.trim());
	},
);

t.test(
	"who creates a token reads when it ends, and how to get one that lasts longer",
	async (t) => {
		const dir = t.testdir();
		const create = (...more: string[]) =>
			earshotIn(dir, "token", "create", "--name", "n8n", ...more);
		const usual = await create();
		t.match(usual.out, /^[\w-]{43}\n$/, "the token stays alone there");
		t.match(
			usual.err,
			/^earshot: valid until \d{4}-[-: \d]+Z; --ttl 365d makes one that is valid for a year\n$/,
		);
		const year = await create("--ttl", "365d");
		t.match(year.err, /^earshot: valid until [-: \d]+Z\n$/);
		const list = await earshotIn(dir, "token", "list", "--json");
		t.notMatch(list.out, usual.out.trim());
		const rows: { expires: string }[] = JSON.parse(list.out);
		t.match(rows, [{ name: "n8n", state: "valid" }, { scopes: /^asr,/ }]);
		t.match(usual.err, rows[0]?.expires);
		t.match(year.err, rows[1]?.expires);
	},
);

t.test(
	"tokens created within one second are listed oldest first",
	async (t) => {
		const dir = t.testdir();
		const store = await openStore({ dir, as: "serve" });
		t.teardown(() => store.close());
		const names = ["first", "second", "third"];
		// they lie there in the order of their hashes, in which the second comes first
		for (const [index, name] of names.entries())
			await store.tokens.adopt(name, {
				name,
				scopes: ["asr"],
				nowSeconds: 1e9 + index / 10,
				ttlSeconds: 60,
			});
		const list = await earshotIn(dir, "token", "list", "--json");
		t.same(
			(JSON.parse(list.out) as { name: string }[]).map((it) => it.name),
			names,
		);
	},
);

t.test(
	"an application's secret is shown once; revoking it revokes its tokens",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const made = await earshotIn(
			dir,
			"app",
			"create",
			"--name",
			"robot",
			"--json",
		);
		const app = JSON.parse(made.out);
		t.match(app, { app_id: /^[0-9a-f-]{36}$/, secret: /^[0-9a-f]{64}$/ });
		t.equal(api.store.apps.findValid(app.app_id)?.secret, app.secret);
		const { token } = await api.store.tokens.create({
			name: "robot",
			scopes: ["asr"],
			nowSeconds: 1e9,
			ttlSeconds: 1e10,
			appId: app.app_id,
		});
		const list = await earshotIn(dir, "app", "list");
		t.match(list.out, app.app_id);
		t.notMatch(list.out, app.secret);
		t.match(await earshotIn(dir, "app", "revoke", "robot"), {
			code: 0,
			out: "1 revoked, and 1 of its tokens\n",
		});
		const headers = { Authorization: `Bearer ${token}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		const rows = [...api.store.database.table<TokenRow>("tokens").rows()];
		const noted = rows.filter(({ value }) => value.revokedSeconds !== null);
		t.match(noted, [{ value: { appId: app.app_id } }], "an older version sees");
	},
);

t.test(
	"a token that the operator has chosen works, is shown nowhere, and is taken once",
	async (t) => {
		const api = await startApi(t);
		const dir = t.testdirName;
		const chosen = "kiosk-7.3d1c9f0b7a5e4826a1c4d2f8e6b09375";
		const file = join(dir, "token");
		writeFileSync(file, `${chosen}\n`);
		const create = (path: string, input = "", name = "kiosk-7") =>
			earshot(
				["token", "create", "--name", name, "--token-file", path],
				{ EARSHOT_STATE_DIR: dir },
				input,
			);
		const made = await create(file);
		t.match(made, { code: 0, out: "", err: /^earshot: valid until [^\n]+\n$/ });
		const headers = { Authorization: `Bearer ${chosen}` };
		t.match(await api.recognize("lang_type=en", { headers }), { http: 200 });
		const again = await create(file, "", "other");
		t.match(again, { code: 2, out: "", err: /exists already/ });
		const other = `${chosen}~`;
		t.match(await create("-", other), { code: 0, out: "" });
		const others = { Authorization: `Bearer ${other}` };
		t.match(
			await api.recognize("lang_type=en", { headers: others }),
			{ http: 200 },
			"from standard input",
		);
		await api.store.tokens.revoke("kiosk-7", Date.now() / 1000);
		const request = { name: "n", scopes: [], nowSeconds: 1, ttlSeconds: 1e10 };
		const taken = await api.store.tokens.adopt(chosen, request);
		t.equal(taken, undefined, "what was revoked stays so");
		t.match(await api.recognize("lang_type=en", { headers }), { http: 401 });
		for (const { err } of [made, again]) t.notMatch(err, chosen);
	},
);

t.test("a weak token is refused, and not repeated", async (t) => {
	const dir = t.testdir();
	const weak = [
		"short-0123456789",
		"aaaaaaaabbbbbbbbccccccccdddddddd",
		"has a space 3d1c9f0b7a5e4826a1c4",
		"3d1c9f0b7a5e4826a1c4d2f8e6b09375\n3d1c9f0b7a5e4826a1c4d2f8e6b09375",
		"umlaut-ä-3d1c9f0b7a5e4826a1c4d2f8",
		`3d1c9f0b7a5e4826${"a1c4".repeat(100)}`,
		"",
	];
	const path = join(dir, "token");
	for (const given of weak) {
		writeFileSync(path, given);
		const refused: Error = await readChosenToken(path).then(t.fail, (it) => it);
		t.match(refused, {
			name: "UsageError",
			message: /32 to 256 .*openssl rand/,
		});
		if (given !== "") t.notMatch(refused.message, given.slice(0, 16));
	}
	await t.rejects(readChosenToken("/nowhere/token"), {
		name: "UsageError",
		message: /^\/nowhere\/token: no such file$/,
	});
	const state = join(dir, "state");
	const words = ["token", "create", "--name", "x", "--token-file", "-"];
	const ran = await earshot(words, { EARSHOT_STATE_DIR: state }, weak[0]);
	t.match(ran, { code: 2, out: "", err: /^earshot: standard input: .* 32 to/ });
	t.notMatch(ran.err, weak[0]);
	t.notOk(existsSync(state), "nothing is stored");
});

t.test("what can't be said together is refused", async (t) => {
	await t.rejects(parsed(appCommand(), "create"), /--name/);
	await t.rejects(
		parsed(updateCommand(), "--rollback", "--check"),
		/'--rollback' .* '--check'/,
	);
	await t.rejects(
		parsed(updateCommand(), "--rollback", "--from", "earshot-0.2.0"),
		/'--rollback' cannot be used with option '--from <file-or-url>'/,
	);
});

t.test("wrong usage ends with 2 and a sentence", async (t) => {
	const dir = t.testdir();
	const wrong: [words: string[], err: RegExp][] = [
		[["token", "create"], /--name/],
		[["token", "create", "--name", ""], /--name must be 1 to 100 characters/],
		[["token", "revoke", "nobody"], /no valid token has the name or id nobody/],
		[["app", "revoke", "nobody"], /no valid application/],
	];
	const ended = await Promise.all(
		wrong.map(([words]) => earshotIn(dir, ...words)),
	);
	for (const [index, [words, err]] of wrong.entries())
		t.match(ended[index], { code: 2, out: "", err }, words.join(" "));
	t.throws(() => checkName("a\nb"), /--name must be/);
	for (const [given, says] of [
		["7", /--ttl must be a duration such as .*, got "7"/],
		["0d", /--ttl/],
	] as const)
		t.throws(() => parseTtl(given), says);
	t.throws(
		() => parseScopes("asr,root"),
		/--scope must be all, or one or more of asr,hotwords,files,status,admin, got "asr,root"/,
	);
	const broken = await earshotIn(
		dir,
		"--set",
		"server.prot=1",
		"config",
		"show",
	);
	t.match(broken, {
		code: 2,
		err: /^earshot: unknown configuration key server\.prot .*server\.port\n$/,
	});
	const shown = await earshotIn(dir, "config", "show", "--json");
	t.ok(
		JSON.parse(shown.out).some(
			(it: { key: string; value: unknown; origin: string }) =>
				it.key === "state.dir" &&
				it.value === dir &&
				it.origin === "environment EARSHOT_STATE_DIR",
		),
	);
});

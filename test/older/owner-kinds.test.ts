/** What a version of before owners had kinds left behind (before-owner-kinds/, made by make-state.ts), under this one. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t, { type Test } from "tap";
import { Database, type Write } from "../../runtime/store/database.js";
import { openStore } from "../../runtime/store/open-store.js";
import { addOwnerKinds } from "../../runtime/store/owner-kinds.js";
import type { Scope } from "../../runtime/store/token-row.js";
import { RunningAppliance, repository } from "../e2e/running-appliance.js";
import { tinyModel } from "../e2e/tiny-model.js";
import { eventually } from "../fixtures/eventually.js";

const folder = join(repository, "test/older/before-owner-kinds");
const made = JSON.parse(readFileSync(join(folder, "made.json"), "utf8")) as {
	readonly tokens: Readonly<Record<string, string>>;
	readonly tasks: Readonly<Record<string, string>>;
	readonly recordings: Readonly<Record<string, string>>;
};

function olderState(t: Test): string {
	const dir = mkdtempSync(join(tmpdir(), "earshot-older-"));
	t.teardown(() => rmSync(dir, { recursive: true, force: true }));
	execFileSync("tar", ["-C", dir, "-xzf", join(folder, "state.tar.gz")]);
	return dir;
}

interface StoredRow {
	readonly owner: string;
	readonly ownerKind?: string;
	readonly state?: number;
}

/** As they lie there. */
async function rowsIn(dir: string, table: "tasks" | "recordings") {
	const database = Database.open(join(dir, "store.mdb"));
	const rows = new Map(
		[...database.table<StoredRow>(table).rows()].map(({ key, value }) => [
			key,
			value,
		]),
	);
	await database.close();
	return rows;
}

const kindOfTask: Readonly<Record<string, string>> = {
	"mqtt:fleet": "mqtt",
	"token:kiosk": "token",
	"token:both": "anyone",
	"token:fleet": "mqtt",
	"token:anonymous": "anyone",
	"token:renewed": "anyone",
	"app:robot": "app",
	"app:both": "anyone",
	"anyone:anonymous": "anyone",
	"app:renewed": "app",
	"token:late": "token",
};
/** No recording ever came over MQTT. */
const kindOfRecording = { ...kindOfTask, "token:fleet": "token" };

async function expectKinds(t: Test, dir: string): Promise<void> {
	const tasks = await rowsIn(dir, "tasks");
	const kinds = (rows: Record<string, string>, all: Map<string, StoredRow>) =>
		Object.fromEntries(
			Object.entries(rows).map(([by, key]) => [by, all.get(key)?.ownerKind]),
		);
	t.same(kinds(made.tasks, tasks), kindOfTask);
	const ids = Object.entries(made.recordings).map(([by, path]) => [
		by,
		path.split("/").at(-1)?.replace(".wav", "") ?? "",
	]);
	t.match(
		kindOfRecording,
		kinds(Object.fromEntries(ids), await rowsIn(dir, "recordings")),
	);
}

t.test("each goes on with what was surely its own", async (t) => {
	const dir = olderState(t);
	const before = await rowsIn(dir, "tasks");
	const earshot = await RunningAppliance.start(await tinyModel(), dir);
	t.teardown(() => earshot.dispose());
	t.equal(earshot.log.filter((it) => /added owner kinds/.test(it)).length, 1);
	t.match(earshot.log.join("\n"), /"rows":6.*both a token and an application/);

	const tokenOf = async (name: string, scope: Scope) => {
		const beside = await openStore({ dir, as: "visit" });
		const nowSeconds = Date.now() / 1000;
		const life = { nowSeconds, ttlSeconds: 3600 };
		const made = await beside.tokens.create({ name, scopes: [scope], ...life });
		await beside.close();
		return made.token;
	};
	const get = (path: string, token = "") =>
		fetch(earshot.url + path, {
			headers: { authorization: `Bearer ${token}` },
		});
	const tasksOf = async (token?: string) => {
		const answer = await get("/v1/asrfile/tasks", token);
		const { data } = (await answer.json()) as { data: { task_id: string }[] };
		return new Set(data.map((task) => task.task_id));
	};
	const sees = async (token: string | undefined, ...by: string[]) => {
		t.same(await tasksOf(token), new Set(by.map((it) => made.tasks[it])));
	};
	for (const by of ["token:kiosk", "app:robot", "app:renewed", "token:late"])
		await sees(made.tokens[by], by);
	for (const by of ["token:both", "app:both", "token:fleet", "token:anonymous"])
		await sees(made.tokens[by]);
	await sees(await tokenOf("renewed", "files")); // the application came later
	const admin = await tokenOf("operator", "admin");
	await sees(admin, ...Object.keys(made.tasks));

	const statusOf = async (recording: string, token?: string) =>
		(await get(made.recordings[recording] ?? "", token)).status;
	for (const by of ["token:kiosk", "app:robot", "token:fleet"]) {
		t.equal(await statusOf(by, made.tokens[by]), 200, by);
		t.equal(await statusOf(by, made.tokens["token:late"]), 404, by);
	}
	for (const by of ["token:both", "app:both", "token:anonymous"])
		t.equal(await statusOf(by, made.tokens[by]), 404, by);
	t.equal(
		await statusOf("anyone:anonymous", made.tokens["token:anonymous"]),
		404,
	);
	t.equal(await statusOf("token:both", admin), 200);

	const listed = JSON.parse(
		(await earshot.command("tasks", "list", "--json")).stdout,
	) as { id: string; owner: string; callback: string }[];
	t.match(
		listed.find(({ id }) => id === made.tasks["token:kiosk"]),
		{ owner: "token:kiosk", callback: /tried|given up/ },
		"with what was to be told of it",
	);
	const unfinished = made.tasks["token:late"] ?? "";
	t.match(before.get(unfinished)?.state, /^[23]$/);
	await eventually("what was unfinished to be transcribed", async () => {
		const path = `/v1/asrfile/result?task_id=${unfinished}`;
		const { data } = (await (await get(path)).json()) as { data: object };
		return "result" in data;
	});

	await earshot.stop();
	await expectKinds(t, dir);
	const after = await rowsIn(dir, "tasks");
	for (const [key, { ownerKind: _, ...row }] of after)
		if (key !== unfinished)
			t.same(row, before.get(key), "an older version finds what it left");
	const again = await openStore({ dir, as: "serve" });
	t.match(again.ownerKindsAdded, { rows: 0 }, "once");
	await again.close();
});

t.test("a start that was cut off is gone on with at the next", async (t) => {
	const dir = olderState(t);
	const database = Database.open(join(dir, "store.mdb"));
	const rows = database.table<object>("tasks");
	const more = Array.from({ length: 1200 }, (_, i) =>
		rows.putting(`more-${i}`, { owner: "kiosk", insertSeconds: 4e9, i }),
	);
	await database.together(more);
	let commits = 0;
	const cutOff = {
		table: database.table.bind(database) as Database["table"],
		together: (writes: readonly Write[]) => {
			if (++commits === 2) throw new Error("the power is gone");
			return database.together(writes);
		},
	};
	await t.rejects(addOwnerKinds(cutOff), /the power is gone/);
	await database.close();
	const kinds = async () =>
		[...(await rowsIn(dir, "tasks")).values()].map((it) => it.ownerKind);
	const done = (await kinds()).filter((it) => it !== undefined).length;
	t.ok(done > 0 && done < 1200, `${done} of them were done`);
	const store = await openStore({ dir, as: "serve" });
	t.match(store.ownerKindsAdded, { rows: 1211 + 8 - done });
	await store.close();
	t.notOk((await kinds()).includes(undefined));
	await expectKinds(t, dir);
});

t.test(
	"a visit changes nothing, and shows nothing as somebody's",
	async (t) => {
		const dir = olderState(t);
		const visit = await openStore({ dir, as: "visit" });
		t.equal(visit.ownerKindsAdded, undefined);
		for await (const { owner } of visit.recordings.list())
			t.match(owner, /^anyone:/);
		await visit.close();
		for (const row of (await rowsIn(dir, "tasks")).values())
			t.equal(row.ownerKind, undefined);
	},
);

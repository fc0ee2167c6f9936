/** `earshot app create|list|revoke`: applications that sign their own requests for tokens. */
import type { Command } from "commander";
import { timeText } from "./duration.js";
import { checkName, withStore } from "./store-visit.js";
import { listing } from "./table.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

export function appCommand(): Command {
	const app = verb("app", "create, list and revoke applications");
	app
		.command("create")
		.description("create an application; prints its id and secret, once")
		.requiredOption("--name <name>", "name of the application")
		.option("--json", "as JSON")
		.action(action(create));
	app
		.command("list")
		.description("list all applications, never their secrets")
		.option("--json", "as JSON")
		.action(action(list));
	app
		.command("revoke")
		.description("revoke an application and all its tokens, at once")
		.argument(
			"<name-or-id>",
			"all applications with this name, or the one with this id",
		)
		.action(action(revoke));
	return app;
}

async function create(
	options: { name: string; json?: boolean },
	command: Command,
): Promise<void> {
	const name = checkName(options.name);
	const { dir } = configFor(command).values.state;
	await withStore(dir, async (store, nowSeconds) => {
		const app = await store.apps.create(name, nowSeconds);
		print(
			options.json
				? JSON.stringify({ app_id: app.id, secret: app.secret })
				: `app_id  ${app.id}\nsecret  ${app.secret}`,
		);
	});
}

async function list(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	await withStore(configFor(command).values.state.dir, (store) => {
		const rows = store.apps.list().map((row) => ({
			app_id: row.id,
			name: row.name,
			state: row.revokedSeconds === null ? "valid" : "revoked",
			created: timeText(row.createdSeconds),
		}));
		print(listing(["app_id", "name", "state", "created"], rows, options.json));
	});
}

async function revoke(
	nameOrId: string,
	_options: object,
	command: Command,
): Promise<void> {
	const { dir } = configFor(command).values.state;
	await withStore(dir, async (store, nowSeconds) => {
		const ids = await store.apps.revoke(nameOrId, nowSeconds);
		if (ids.length === 0)
			throw new UsageError(
				`no valid application has the name or id ${nameOrId}`,
			);
		let tokens = 0;
		for (const id of ids)
			tokens += await store.tokens.noteRevokedApp(id, nowSeconds);
		print(`${ids.length} revoked, and ${tokens} of its tokens`);
	});
}

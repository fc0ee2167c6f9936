/** `earshot token create|list|revoke`: works beside a running server, which applies the change at once. */
import type { Command } from "commander";
import type { ReadOnlyClock } from "../clock/read-only-clock.js";
import type { Store } from "../store/open-store.js";
import {
	type NewToken,
	type TokenRow,
	tokenState,
} from "../store/token-row.js";
import { readChosenToken } from "./chosen-token.js";
import { parseDurationSeconds, timeText } from "./duration.js";
import { parseScopes } from "./scopes.js";
import { checkName, withStore } from "./store-visit.js";
import { listing } from "./table.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

/** 100 years, the maximum of `auth.token_ttl_seconds` as well. */
const ttlSecondsMax = 3_153_600_000;

const yearSeconds = 365 * 86_400;

export function tokenCommand(): Command {
	const token = verb("token", "create, list and revoke access tokens");
	token
		.command("create")
		.description("create a token and print it, once, and when it ends")
		.requiredOption("--name <name>", "who will use it")
		.option(
			"--ttl <span>",
			"its lifetime: 90s, 30m, 12h, 7d, 4w (default: auth.token_ttl_seconds, 7 days)",
		)
		.option(
			"--scope <scopes>",
			"any of asr,hotwords,files,status; all: the first three; admin: everything, of all owners",
			"all",
		)
		.option(
			"--token-file <path>",
			"take the token in this file instead of making one; -: on standard input",
		)
		.action(action(create));
	token
		.command("list")
		.description("list all tokens, never the secret itself")
		.option("--json", "as JSON")
		.action(action(list));
	token
		.command("revoke")
		.description("revoke a token at once")
		.argument(
			"<name-or-id>",
			"all tokens with this name, or the one with this id",
		)
		.action(action(revoke));
	return token;
}

interface CreateOptions {
	readonly name: string;
	readonly ttl?: string;
	readonly scope: string;
	readonly tokenFile?: string;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
	const name = checkName(options.name);
	const requested = parseScopes(options.scope);
	const ttl = options.ttl === undefined ? undefined : parseTtl(options.ttl);
	const { tokenFile } = options;
	const chosen =
		tokenFile === undefined ? undefined : await readChosenToken(tokenFile);
	const { values } = configFor(command);
	await withStore(values.state.dir, async (store, nowSeconds, clock) => {
		const ttlSeconds = ttl ?? values.auth.token_ttl_seconds;
		const request = {
			name,
			scopes: requested,
			nowSeconds,
			operatingSeconds: clock.operatingSeconds(),
			ttlSeconds,
		};
		const row =
			chosen === undefined
				? await printNew(store, request)
				: await adopt(store, chosen, request);
		const isShort =
			ttl === undefined && chosen === undefined && ttlSeconds < yearSeconds;
		const hint = isShort
			? "; --ttl 365d makes one that is valid for a year"
			: "";
		// standard output has the token alone: TOKEN="$(earshot token create ...)"
		process.stderr.write(`earshot: ${validUntil(row)}${hint}\n`);
	});
}

async function printNew(store: Store, request: NewToken): Promise<TokenRow> {
	const { token, row } = await store.tokens.create(request);
	print(token);
	return row;
}

/** Prints nothing: who has chosen it knows it. */
async function adopt(
	store: Store,
	chosen: string,
	request: NewToken,
): Promise<TokenRow> {
	const row = await store.tokens.adopt(chosen, request);
	if (row) return row;
	throw new UsageError(
		"this token exists already, valid or not: earshot token list shows all; take another one",
	);
}

async function list(
	options: { json?: boolean },
	command: Command,
): Promise<void> {
	await withStore(configFor(command).values.state.dir, (store, _, clock) => {
		const rows = store.tokens.list().map((row) => shownRow(row, clock));
		print(
			listing(
				["id", "name", "scopes", "state", "created", "expires"],
				rows,
				options.json,
			),
		);
	});
}

async function revoke(
	nameOrId: string,
	_options: object,
	command: Command,
): Promise<void> {
	const { dir } = configFor(command).values.state;
	await withStore(dir, async (store, nowSeconds) => {
		const count = await store.tokens.revoke(nameOrId, nowSeconds);
		if (count === 0)
			throw new UsageError(`no valid token has the name or id ${nameOrId}`);
		print(`${count} revoked`);
	});
}

export function validUntil({
	expiresSeconds,
}: Pick<TokenRow, "expiresSeconds">): string {
	return `valid until ${timeText(expiresSeconds)}`;
}

function shownRow(row: TokenRow, clock: ReadOnlyClock) {
	return {
		id: row.id,
		name: row.name,
		scopes: row.scopes.join(","),
		state: tokenState(row, (made) => clock.expirySeconds(made)),
		created: timeText(row.createdSeconds),
		expires: timeText(row.expiresSeconds),
	};
}

/** @throws UsageError */
export function parseTtl(text: string): number {
	const seconds = parseDurationSeconds(text);
	if (seconds === undefined || seconds < 1 || seconds > ttlSecondsMax)
		throw new UsageError(
			`--ttl must be a duration such as 90s, 30m, 12h, 7d or 4w, up to 36500d, got "${text}"`,
		);
	return seconds;
}

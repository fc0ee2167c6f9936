/** `earshot fleet dead-letters`: messages that the broker refused; works beside a running server. */
import type { Command } from "commander";
import {
	type DeadLetterRow,
	FleetOutboxRepository,
} from "../store/fleet-outbox.js";
import { timeText } from "./duration.js";
import { withStore } from "./store-visit.js";
import { listing, printable } from "./table.js";
import { action, configFor, print, UsageError, verb } from "./verb.js";

interface Options {
	readonly json?: boolean;
	readonly sendAgain?: string;
	readonly forget?: string;
}

const textCharactersMax = 40;

export function fleetCommand(): Command {
	const fleet = verb("fleet", "show messages that the broker refused");
	fleet
		.command("dead-letters")
		.description("list messages that were set aside, and why; the oldest first")
		.option("--json", "as JSON")
		.option(
			"--send-again <key>",
			"send a message again at the next start; all: every message",
		)
		.option("--forget <key>", "remove a message; all: every message")
		.action(action(deadLetters));
	return fleet;
}

async function deadLetters(options: Options, command: Command): Promise<void> {
	const { sendAgain, forget, json } = options;
	if (sendAgain !== undefined && forget !== undefined)
		throw new UsageError("--send-again and --forget can't be combined");
	await withStore(configFor(command).values.state.dir, async ({ database }) => {
		const rows = new FleetOutboxRepository(database);
		const wanted = sendAgain ?? forget;
		if (wanted === undefined) {
			show(rows, json === true);
			return;
		}
		const chosen = rows
			.dead()
			.filter(({ key }) => wanted === "all" || key === wanted);
		if (chosen.length === 0 && wanted !== "all")
			throw new UsageError(`no dead letter has the key ${wanted}`);
		for (const { key, value } of chosen)
			if (sendAgain === undefined) await rows.forget(key);
			else await rows.revive(key, value);
		print(
			sendAgain === undefined
				? `${chosen.length} removed`
				: `${chosen.length} will be sent at the next start of the appliance`,
		);
	});
}

function show(rows: FleetOutboxRepository, asJson: boolean): void {
	const shown = rows.dead().map(({ key, value }) => ({
		key,
		topic: value.topic,
		created: timeText(value.createdSeconds),
		"set aside": timeText(value.diedSeconds),
		why: value.why,
		message: messageOf(value, asJson),
	}));
	print(
		listing(
			["key", "topic", "created", "set aside", "why", "message"],
			shown,
			asJson,
		),
	);
}

function messageOf({ body }: DeadLetterRow, whole: boolean): string {
	if (body.is === "task") return `task ${body.id}`;
	if (whole) return body.text;
	const text = printable(body.text);
	if (text.length <= textCharactersMax) return text;
	return `${text.slice(0, textCharactersMax)}...`;
}

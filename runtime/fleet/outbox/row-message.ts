/** What a row of the outbox is to the broker when it is sent. A finished task is read only then: its row is a small notice, stored in the transaction that finished it. */
import type { FleetMessageRow } from "../../store/fleet-outbox.js";
import type { AppliancePort } from "../appliance-port.js";
import { taskMessage } from "../payloads/task.js";
import type { FleetConfig } from "../settings.js";
import type { Topics } from "../topics.js";
import type { RenderedMessage } from "./sender.js";

const bytesPerKilobyte = 1024;

type Body = FleetMessageRow["body"];

export function rowTopic(body: Body, topics: Topics): string {
	return body.is === "task" ? topics.task(body.id) : topics.finals;
}

/** @returns undefined for a task that was removed in the meantime. */
export function rowMessage(
	body: Body,
	appliance: Pick<AppliancePort, "task" | "result">,
	{ result_kilobytes_max }: Pick<FleetConfig, "result_kilobytes_max">,
): RenderedMessage | undefined {
	if (body.is === "text") return { text: body.text };
	const task = appliance.task(body.id);
	if (!task) return undefined;
	const kilobytesMax = result_kilobytes_max || Number.POSITIVE_INFINITY; // 0: no limit
	const result = appliance.result(body.id);
	return taskMessage(task, result, kilobytesMax * bytesPerKilobyte);
}

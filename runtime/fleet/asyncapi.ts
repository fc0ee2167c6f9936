/**
 * The fleet's interface for other programs: an AsyncAPI 3 document generated from the schemas that validate the payloads (docs/fleet.asyncapi.json, `earshot
 * config docs --asyncapi`).
 */
import { type TSchema, Type } from "@sinclair/typebox";
import { sentSchema } from "../json/sent-schema.js";
import { callUtterancePayload } from "./payloads/call-events.js";
import { commandPayloads, replyPayload } from "./payloads/commands.js";
import { utterancePayload, wakePayload } from "./payloads/events.js";
import { jobPayload, offerPayload } from "./payloads/jobs.js";
import { schemaVersion } from "./payloads/schema-version.js";
import {
	healthPayload,
	metricsPayload,
	statusPayload,
} from "./payloads/state.js";
import { taskPayload } from "./payloads/task.js";
import { Topics } from "./topics.js";

interface Channel {
	readonly address: string;
	readonly payload: TSchema;
	/** From the device's point of view. */
	readonly action: "send" | "receive";
	readonly qos: 0 | 1;
	readonly retain?: boolean;
	readonly description: string;
}

const parameters: Readonly<Record<string, object>> = {
	site: { description: "fleet.site" },
	device: { description: "fleet.device" },
	task: { description: "task_id, as the upload answered" },
};

const spokenPayload = Type.Union([utterancePayload, callUtterancePayload], {
	title: "A sentence recognized from a microphone, or from a leg of a call",
});

/** By the name used in the document; a test compares each with the messages of a real device. */
export function fleetChannels(): Readonly<Record<string, Channel>> {
	const topics = new Topics("{site}", "{device}");
	const send = (
		address: string,
		payload: TSchema,
		qos: 0 | 1,
		description: string,
		retain = false,
	): Channel => ({
		address,
		payload,
		action: "send",
		qos,
		retain,
		description,
	});
	const commands = Object.entries(commandPayloads).map(
		([name, payload]): [string, Channel] => [
			`cmd-${name}`,
			{
				address: `${topics.base}/cmd/${name}`,
				payload,
				action: "receive",
				qos: 1,
				description: `If fleet.commands contains ${name}. Answered on the request's response topic (with its correlation data), or on replies.`,
			},
		],
	);
	return {
		status: send(
			topics.status,
			statusPayload,
			1,
			"Retained; offline by last will.",
			true,
		),
		health: send(
			topics.health,
			healthPayload,
			0,
			"When it changes, and every fleet.report_seconds.",
		),
		metrics: send(
			topics.metrics,
			metricsPayload,
			0,
			"Every fleet.report_seconds.",
		),
		wake: send(
			topics.wakes,
			wakePayload,
			1,
			"At once, or not at all; of microphones with wake_words.",
		),
		final: send(
			topics.finals,
			spokenPayload,
			1,
			"Through the outbox, in order of each microphone and of each call.",
		),
		partial: send(
			topics.partials,
			spokenPayload,
			0,
			"If fleet.partials is on.",
		),
		task: send(
			topics.task("{task}"),
			taskPayload,
			1,
			"Through the outbox, once a task is finished.",
		),
		replies: send(
			topics.replies,
			replyPayload,
			1,
			"Answers to commands without a response topic.",
		),
		offers: send(
			topics.offers,
			offerPayload,
			1,
			`Read as ${topics.sharedOffers}: each reaches one idle device.`,
		),
		jobs: send(
			topics.inboxOf("{device}"),
			jobPayload,
			1,
			"Messages of the site's devices to this one about shared files.",
		),
		...Object.fromEntries(commands),
	};
}

export function asyncApiDocument(): object {
	const channels = Object.entries(fleetChannels());
	const each = <T>(make: (name: string, channel: Channel) => T) =>
		Object.fromEntries(channels.map(([name, it]) => [name, make(name, it)]));
	return JSON.parse(
		JSON.stringify({
			asyncapi: "3.0.0",
			info: {
				title: "earshot fleet",
				version: `${schemaVersion}.0.0`,
				description:
					"The messages of an earshot appliance over MQTT 5, and the commands that it accepts. See fleet.md.",
				license: { name: "MIT" },
			},
			defaultContentType: "application/json",
			channels: each((name, { address, description }) => ({
				address,
				description,
				parameters: parametersOf(address),
				messages: { [name]: { $ref: `#/components/messages/${name}` } },
			})),
			operations: each((name, { action, qos, retain }) => ({
				action,
				channel: { $ref: `#/channels/${name}` },
				messages: [{ $ref: `#/channels/${name}/messages/${name}` }],
				bindings: { mqtt: { qos, retain: retain === true } },
				...(action === "receive" && {
					reply: {
						address: { location: "$message.header#/responseTopic" },
						channel: { $ref: "#/channels/replies" },
					},
				}),
			})),
			components: {
				messages: each((name, { payload, action }) => ({
					name,
					...(payload.title && { title: payload.title }),
					payload: action === "receive" ? sentSchema(payload) : payload,
				})),
			},
		}),
	);
}

function parametersOf(address: string): object {
	const names = [...address.matchAll(/\{(\w+)\}/g)].map((it) => it[1] ?? "");
	return Object.fromEntries(
		names.map((name) => [name, parameters[name] ?? {}]),
	);
}

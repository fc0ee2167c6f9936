/** Every field of the commands that a device takes over MQTT, by their schemas, and what else of a message is somebody's to choose. */

import { commandPayloads } from "../../runtime/fleet/payloads/commands.js";
import { uploadSchemas } from "../../runtime/tasks/intake/upload-options.js";
import type { Listener } from "../fleet/listener.js";
import {
	anyText,
	baseOf,
	type Field,
	type FieldSchema,
	kindOf,
	type Value,
} from "./field.js";
import { fleetBase } from "./watched-appliance.js";

/** A command may be 64 KiB. */
const bytesMax = 60 * 1024;
/** The broker's, of a topic. */
const topicBytesMax = 60_000;

/** What is done where the field is left alone must do no harm: an engine that is not there is restarted. */
const bases: Readonly<Record<string, Record<string, unknown>>> = {
	"restart-engine": { lane: "batch" },
	transcribe: { format: "wav" },
};

export class FleetFields {
	readonly #listener: Listener;
	#lastCorrelation = 0;
	/** For an answer, by what it is known by. */
	readonly #waiting = new Map<string, (text: string) => void>();

	constructor(listener: Listener) {
		this.#listener = listener;
		listener.client.on("message", (_, payload, { properties }) => {
			const correlation = `${properties?.correlationData}`;
			this.#waiting.get(correlation)?.(payload.toString());
			this.#waiting.delete(correlation);
		});
	}

	get all(): readonly Field[] {
		return [
			...Object.entries(commandPayloads).flatMap(([command, schema]) =>
				this.#payload(command, schema, schema.properties),
			),
			// it takes these as well
			...this.#payload(
				"transcribe",
				commandPayloads.transcribe,
				uploadSchemas.standard.properties,
			),
			{
				name: "MQTT: the payload itself",
				bytesMax,
				...anyText,
				send: (value) => this.#ask("mute", `${value}`),
			},
			{
				name: "MQTT: the command's name",
				bytesMax: topicBytesMax,
				...anyText,
				// characters that no topic may have are the broker's to refuse
				send: (value) =>
					this.#ask(
						Buffer.from(`${value}`)
							.toString()
							.replace(/[\p{Cc}#+]/gu, ""),
						"{}",
					),
			},
		];
	}

	#payload(
		command: string,
		schema: FieldSchema,
		properties: NonNullable<FieldSchema["properties"]>,
	): Field[] {
		return Object.entries({ ...properties, unknown: {} }).map(
			([name, property]: [string, FieldSchema]): Field => ({
				name: `MQTT ${command}: ${name}`,
				bytesMax,
				...kindOf(property),
				send: (value: Value) => {
					const body = { ...baseOf(schema), ...bases[command], [name]: value };
					return this.#ask(command, JSON.stringify(body));
				},
			}),
		);
	}

	async #ask(command: string, payload: string): Promise<string | undefined> {
		const correlation = `${++this.#lastCorrelation}`;
		const answer = new Promise<string>((resolve) =>
			this.#waiting.set(correlation, resolve),
		);
		await this.#listener.publish(`${fleetBase}/cmd/${command}`, payload, {
			properties: {
				responseTopic: "answers/me",
				correlationData: Buffer.from(correlation),
			},
		});
		return JSON.parse(await answer).status;
	}
}

/** The worst values in every field that somebody outside may write into. */
import type { Field, Shape, Value } from "./field.js";
import { FleetFields } from "./fleet-fields.js";
import { HttpFields } from "./http-fields.js";
import { LiveFields } from "./live-fields.js";
import type { WatchedAppliance } from "./watched-appliance.js";
import { ofBytes, type WorstString } from "./worst-strings.js";

/** Of a list with many items. */
const itemBytes = 40;

export interface FieldTrial {
	readonly field: Field;
	readonly string: WorstString;
	readonly shape: Shape;
	/** Of the value as JSON, or what the field takes where that is less. */
	readonly bytes: number;
}

export class FieldTrials {
	readonly #watched: WatchedAppliance;
	readonly fields: readonly Field[];

	static async open(watched: WatchedAppliance): Promise<FieldTrials> {
		const { appliance, listener } = watched;
		const { url, token } = appliance;
		return new FieldTrials(watched, [
			...(await new HttpFields(url, token).all()),
			...new LiveFields(url, token).all,
			...(listener ? new FleetFields(listener).all : []),
		]);
	}

	private constructor(watched: WatchedAppliance, fields: readonly Field[]) {
		this.#watched = watched;
		this.fields = fields;
	}

	/** @throws AssertionError where it holds the loop, or breaks something. */
	async try(trial: FieldTrial): Promise<void> {
		await this.#watched.main.bounded(shown(trial), sending(trial));
	}

	/** The same of several at a time: only where they hold the loop together each is tried by itself. @returns what did not hold. */
	async tryAll(trials: readonly FieldTrial[]): Promise<string[]> {
		if (await this.#watched.main.areBounded(trials.map(sending))) return [];
		const faults: string[] = [];
		for (const trial of trials)
			await this.try(trial).catch((error: Error) => faults.push(error.message));
		return faults;
	}
}

function sending(trial: FieldTrial): () => Promise<string | undefined> {
	return () => trial.field.send(made(trial));
}

function made({ field, string, shape, bytes }: FieldTrial): Value {
	const room = Math.min(bytes, field.bytesMax);
	switch (shape) {
		case "text":
			return ofBytes(string, room);
		case "item":
			return [ofBytes(string, room)];
		case "items": {
			const item = ofBytes(string, itemBytes);
			const itemRoom = Buffer.byteLength(JSON.stringify(item)) + 1;
			return Array<string>(Math.floor(room / itemRoom)).fill(item);
		}
	}
}

function shown({ field, string, shape, bytes }: FieldTrial): string {
	return `${field.name}, ${string.name} as ${shape}, ${bytes} bytes`;
}

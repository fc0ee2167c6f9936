/**
 * The device and its microphones as entities for Home Assistant's MQTT discovery (https://www.home-assistant.io/integrations/mqtt/#mqtt-discovery): one
 * retained message per entity, on `homeassistant/<component>/<node>/<object>/config`.
 */
import { createHash } from "node:crypto";
import type { CommandName } from "./payloads/commands.js";
import { discoveryRoot, type Topics } from "./topics.js";

export interface DiscoveryMessage {
	readonly topic: string;
	readonly payload: string;
}

export interface AboutDevice {
	readonly site: string;
	readonly device: string;
	readonly topics: Topics;
	readonly version: string;
}

/** Home Assistant refuses longer states. */
const stateCharactersMax = 255;

/** @param commands that are allowed: others get no button. */
export function homeAssistantEntities(
	about: AboutDevice,
	microphones: readonly string[],
	commands: readonly CommandName[],
): readonly DiscoveryMessage[] {
	const { site, device, topics, version } = about;
	const node = nodeOf(site, device);
	const entity = (component: string, object: string, config: object) => ({
		topic: `${discoveryRoot}/${component}/${node}/${object}/config`,
		payload: JSON.stringify({
			unique_id: `${node}_${object}`,
			device: {
				identifiers: [node],
				name: `${device} (${site})`,
				manufacturer: "earshot",
				sw_version: version,
			},
			...config,
		}),
	});
	const available = {
		availability_topic: topics.status,
		availability_template: "{{ value_json.state }}",
	};
	return [
		entity("binary_sensor", "problem", {
			...available,
			name: "Problem",
			device_class: "problem",
			state_topic: topics.health,
			value_template: "{{ 'OFF' if value_json.ok else 'ON' }}",
		}),
		entity("sensor", "files_waiting", {
			...available,
			name: "Files waiting",
			state_topic: topics.status,
			// the message `offline` has no load
			value_template:
				"{{ (value_json.load | default({})).files_waiting | default(0) }}",
		}),
		...(commands.includes("restart-engine")
			? [
					entity("button", "restart_engine", {
						...available,
						name: "Restart the engine",
						command_topic: topics.command("restart-engine"),
						payload_press: "{}",
					}),
				]
			: []),
		...microphones.flatMap((id) => [
			entity("sensor", `heard_${id}`, {
				...available,
				name: `Heard by ${id}`,
				icon: "mdi:microphone-message",
				state_topic: topics.finals,
				// a final of another microphone leaves the state unchanged
				value_template: `{{ value_json.text[:${stateCharactersMax}] if value_json.microphone == '${id}' else this.state }}`,
			}),
			...(commands.includes("mute")
				? [
						entity("switch", `listens_${id}`, {
							...available,
							name: `${id} listens`,
							command_topic: topics.command("mute"),
							payload_on: JSON.stringify({ microphone: id, muted: false }),
							payload_off: JSON.stringify({ microphone: id, muted: true }),
							state_topic: topics.health,
							value_template: `{{ 'OFF' if value_json.microphones['${id}'].muted else 'ON' }}`,
							state_on: "ON",
							state_off: "OFF",
						}),
					]
				: []),
		]),
	];
}

/** Matches every entity of the device, including outdated ones. */
export function discoveryFilter({ site, device }: AboutDevice): string {
	return `${discoveryRoot}/+/${nodeOf(site, device)}/+/config`;
}

export function isDiscoveryOf(
	{ site, device }: AboutDevice,
	topic: string,
): boolean {
	const [root, , node] = topic.split("/");
	return root === discoveryRoot && node === nodeOf(site, device);
}

/** Home Assistant allows letters, digits, _ and -; the hash keeps names apart that look the same after replacement. */
function nodeOf(site: string, device: string): string {
	const hash = createHash("sha256").update(`${site}/${device}`).digest("hex");
	const shown = `${site}_${device}`.replace(/[^A-Za-z0-9_-]/g, "_");
	return `earshot_${shown}_${hash.slice(0, 8)}`;
}

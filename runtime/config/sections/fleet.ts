/** The MQTT broker, and what goes over it: results, commands, shared files. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

/** Commands that an operator may allow over the broker. */
export const fleetCommands = [
	"reload",
	"mute",
	"talk",
	"hotwords",
	"transcribe",
	"restart-engine",
	"pair",
] as const;

/** A level of a topic: a wildcard, a slash or a control character would change the topic. Names of other devices are checked against it as well. */
export const topicLevelPattern = "[\\p{L}\\p{N}_-][\\p{L}\\p{N}_.-]{0,63}";

const topicLevel = (what: string) =>
	Type.String({
		pattern: `^(${topicLevelPattern})?$`,
		"x-expects": `${what} of 1 to 64 letters, digits, _ . and - (no / + # and no control characters, which mean something in a topic)`,
	});

const path = Type.String({ maxLength: 4096 });

export const fleetSection = {
	url: setting(
		Type.String({
			pattern: "^(mqtts?://[^\\s/?#@]+)?$",
			maxLength: 300,
			"x-expects": "mqtt://HOST:PORT or mqtts://HOST:PORT, without a path",
		}),
		"",
		"MQTT 5 broker that results go to and commands come from; mqtts with TLS; empty: none.",
	),
	site: setting(
		topicLevel("a name"),
		"default",
		"Site of this device, part of its topics.",
	),
	device: setting(
		topicLevel("a name"),
		"",
		"Name of this device in its site; no two may have the same. Empty: the host name.",
	),
	user: setting(
		Type.String({ maxLength: 200 }),
		"",
		"User name at the broker; empty: none.",
	),
	password: setting(
		Type.String({ maxLength: 1000 }),
		"",
		"Password at the broker.",
		{ secret: true },
	),
	ca_file: setting(
		path,
		"",
		"PEM file of the authorities that the broker's certificate may come from; empty: those of the system.",
		{ path: true },
	),
	cert_file: setting(
		path,
		"",
		"PEM file of this device's certificate, where the broker asks for one.",
		{ path: true },
	),
	key_file: setting(path, "", "PEM file of that certificate's key.", {
		path: true,
	}),
	key: setting(
		Type.String({ maxLength: 20_000 }),
		"",
		"That key itself, as PEM, for a credential of the service manager; takes precedence over key_file.",
		{ secret: true },
	),
	partials: setting(
		Type.Boolean(),
		false,
		"Text of microphones is sent while it is being spoken (events/partial).",
		{ needsRestart: false },
	),
	commands: setting(
		Type.Array(
			Type.Unsafe<(typeof fleetCommands)[number]>({
				type: "string",
				enum: [...fleetCommands],
			}),
			{ "x-expects": `a list of ${fleetCommands.join(", ")}` },
		),
		[],
		"Commands that this device accepts from anybody who may publish to its topics; empty: none.",
		{ needsRestart: false },
	),
	commands_per_second: setting(
		Type.Number({ minimum: 0.1, maximum: 1000 }),
		10,
		"Commands that are executed, or answered with an error, in a second; more are dropped and counted.",
	),
	result_kilobytes_max: setting(
		Type.Integer({ minimum: 0, maximum: 16_384 }),
		192,
		"Transcripts of files up to this size are part of tasks/ID; a longer one has to be fetched, as has one that the broker would not accept. 0: no limit.",
	),
	home_assistant: setting(
		Type.Boolean(),
		false,
		"The device and its microphones appear in Home Assistant (MQTT discovery).",
	),
	report_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 3600 }),
		30,
		"How often health, metrics and load are sent, in addition to when they change.",
	),
	outbox_messages_max: setting(
		Type.Integer({ minimum: 1, maximum: 1_000_000 }),
		100_000,
		"Messages kept on disk while the broker can't be reached; beyond that the oldest are dropped, and counted.",
	),
	outbox_megabytes_max: setting(
		Type.Integer({ minimum: 1, maximum: 4096 }),
		64,
		"The same in bytes.",
	),
	outbox_tries_max: setting(
		Type.Integer({ minimum: 1, maximum: 100 }),
		8,
		"A message that the broker refused, or that broke the connection, this many times is set aside as a dead letter.",
	),
	in_flight_max: setting(
		Type.Integer({ minimum: 1, maximum: 1000 }),
		16,
		"Messages on their way to the broker at the same time, each of another stream.",
	),
	keepalive_seconds: setting(
		Type.Integer({ minimum: 1, maximum: 3600 }),
		15,
		"A broker that sends nothing for half as long again is considered gone.",
	),
	share: setting(
		Type.Boolean(),
		false,
		"Files that wait here may be transcribed by idle devices of the site, and theirs here.",
	),
	share_url: setting(
		Type.String({ pattern: "^(https?://[^/?#\\s@]+)?$", maxLength: 300 }),
		"",
		"This device's address for other devices of the site that fetch shared files; empty: server.public_url, or the address from which the broker is reached. A device that runs the broker itself needs one of the two.",
	),
	lease_seconds: setting(
		Type.Number({ minimum: 1, maximum: 3600 }),
		20,
		"A device that transcribes a shared file and sends nothing for this time loses its lease.",
	),
};

/** The verbs of the command line. Each has its own file, loaded only when it is used: `earshot token` must not load a recognizer. */
import { Command } from "commander";
import { ownVersion } from "../config/own-program.js";
import { collectOften } from "../process/garbage-collector.js";

interface Verb {
	readonly summary: string;
	/** Not shown to people: the program starts it itself. */
	readonly hidden?: boolean;
	/** Called before its modules are loaded, and only where it is what the process does. */
	setUp?(): void;
	load(): Promise<Command>;
}

const verbs: Readonly<Record<string, Verb>> = {
	serve: {
		summary: "serve the /v1 API",
		setUp: collectOften, // before its modules are objects by the megabyte
		load: async () => (await import("./serve.js")).serveCommand(),
	},
	transcribe: {
		summary: "transcribe audio files, without a server",
		load: async () => (await import("./transcribe.js")).transcribeCommand(),
	},
	listen: {
		summary: "recognize live speech, with a running appliance or without one",
		load: async () => (await import("./listen.js")).listenCommand(),
	},
	text: {
		summary: "format a text like recognized text",
		load: async () => (await import("./text.js")).textCommand(),
	},
	token: {
		summary: "create, list and revoke access tokens",
		load: async () => (await import("./tokens.js")).tokenCommand(),
	},
	pair: {
		summary: "show a code that signs a browser in to the console",
		load: async () => (await import("./pair.js")).pairCommand(),
	},
	app: {
		summary: "create, list and revoke applications",
		load: async () => (await import("./apps.js")).appCommand(),
	},
	tasks: {
		summary: "list, show and cancel transcriptions of files",
		load: async () => (await import("./tasks.js")).tasksCommand(),
	},
	fleet: {
		summary: "show messages that the fleet's broker refused",
		load: async () => (await import("./fleet.js")).fleetCommand(),
	},
	tls: {
		summary: "show and renew the certificate of HTTPS",
		load: async () => (await import("./tls.js")).tlsCommand(),
	},
	backup: {
		summary: "copy the appliance's database to a file, while it runs",
		load: async () => (await import("./backup.js")).backupCommand(),
	},
	restore: {
		summary: "restore the state from a backup file",
		load: async () => (await import("./backup.js")).restoreCommand(),
	},
	models: {
		summary: "find, add, list, verify, use, remove and convert models",
		load: async () => (await import("./models.js")).modelsCommand(),
	},
	tune: {
		summary: "measure this device, and choose settings accordingly",
		load: async () => (await import("./tune.js")).tuneCommand(),
	},
	doctor: {
		summary: "check this machine and say what to do",
		load: async () => (await import("./doctor.js")).doctorCommand(),
	},
	config: {
		summary: "show and explain the configuration",
		load: async () => (await import("./config.js")).configCommand(),
	},
	update: {
		summary: "replace this program by another version",
		load: async () => (await import("./update.js")).updateCommand(),
	},
	licenses: {
		summary: "show the licences of everything in this program",
		load: async () => (await import("./licenses.js")).licensesCommand(),
	},
	keywords: {
		summary: "finds keywords in texts, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./keywords.js")).keywordsCommand(),
	},
	capture: {
		summary: "records a microphone, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./capture.js")).captureCommand(),
	},
	"check-store": {
		summary: "reads a database, as the store starts it",
		hidden: true,
		load: async () => (await import("./check-store.js")).checkStoreCommand(),
	},
	recognizer: {
		summary: "a copy of the recognizer, as an engine starts it",
		hidden: true,
		load: async () => (await import("./recognizer.js")).recognizerCommand(),
	},
	"on-trial": {
		summary: "run by a service manager before and after a start",
		hidden: true,
		load: async () => (await import("./update.js")).onTrialCommand(),
	},
	"load-libraries": {
		summary: "loads every library, run by an update with a new version",
		hidden: true,
		load: async () => (await import("./libraries.js")).librariesCommand(),
	},
	engine: {
		summary: "a recognition engine, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./engine.js")).engineCommand(),
	},
};

/** @param loaded the verb in use; the others are only listed. "all" loads every verb, to document their options. */
export async function program(
	loaded: string | "all" | undefined,
): Promise<Command> {
	const earshot = new Command("earshot")
		.description("Speech recognition that lives on the device.")
		.option(
			"--set <section.key=value>",
			"a configuration value for this run; may be repeated",
			(value: string, earlier: string[] = []) => [...earlier, value],
		)
		.version(ownVersion(), "--version", "print the version")
		.exitOverride((ended) => process.exit(ended.exitCode === 0 ? 0 : 2));
	for (const [name, verb] of Object.entries(verbs))
		earshot.addCommand(
			loaded === "all" || name === loaded
				? await verb.load()
				: new Command(name).description(verb.summary),
			{ hidden: verb.hidden ?? false },
		);
	return earshot;
}

/**
 * Sets this process up for a verb. Not part of loading it: all are loaded to compile the program in advance, and V8 takes compiled code only with the flags that
 * it was compiled with.
 */
export function setUpFor(verb: string | undefined): void {
	if (verb !== undefined) verbs[verb]?.setUp?.();
}

/** The verb among the words of a command line. */
export function verbIn(words: readonly string[]): string | undefined {
	return words.find((word) => Object.hasOwn(verbs, word));
}

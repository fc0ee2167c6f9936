/**
 * The command line. Each verb is its own file in cli/, loaded only when it is asked for: `earshot token` must not load a recognizer.
 */
import { Command } from "commander";
import { UnpackError } from "./executable/unpack-error.js";

interface Verb {
	readonly summary: string;
	/** Not listed for people: the program starts it itself. */
	readonly hidden?: boolean;
	load(): Promise<Command>;
}

const verbs: Readonly<Record<string, Verb>> = {
	serve: {
		summary: "serve the /v1 API",
		load: async () => (await import("./cli/serve.js")).serveCommand(),
	},
	transcribe: {
		summary: "transcribe audio files, without a server",
		load: async () => (await import("./cli/transcribe.js")).transcribeCommand(),
	},
	listen: {
		summary: "speak to a running appliance, and see what it hears",
		load: async () => (await import("./cli/listen.js")).listenCommand(),
	},
	text: {
		summary: "write a text as a recognised one would be written",
		load: async () => (await import("./cli/text.js")).textCommand(),
	},
	token: {
		summary: "make, list and revoke access tokens",
		load: async () => (await import("./cli/tokens.js")).tokenCommand(),
	},
	app: {
		summary: "make, list and revoke applications",
		load: async () => (await import("./cli/apps.js")).appCommand(),
	},
	tasks: {
		summary: "list, show and cancel transcriptions of files",
		load: async () => (await import("./cli/tasks.js")).tasksCommand(),
	},
	backup: {
		summary: "copy what the appliance keeps to a file, while it runs",
		load: async () => (await import("./cli/backup.js")).backupCommand(),
	},
	restore: {
		summary: "go on from such a file",
		load: async () => (await import("./cli/backup.js")).restoreCommand(),
	},
	models: {
		summary: "list, verify and convert models",
		load: async () => (await import("./cli/models.js")).modelsCommand(),
	},
	doctor: {
		summary: "check this machine and say what to do",
		load: async () => (await import("./cli/doctor.js")).doctorCommand(),
	},
	config: {
		summary: "show and explain the configuration",
		load: async () => (await import("./cli/config.js")).configCommand(),
	},
	keywords: {
		summary: "finds keywords in texts, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./cli/keywords.js")).keywordsCommand(),
	},
	capture: {
		summary: "records a microphone, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./cli/capture.js")).captureCommand(),
	},
	"check-store": {
		summary: "reads a database, as the store starts it",
		hidden: true,
		load: async () =>
			(await import("./cli/check-store.js")).checkStoreCommand(),
	},
	engine: {
		summary: "a recognition engine, as `serve` starts it",
		hidden: true,
		load: async () => (await import("./cli/engine.js")).engineCommand(),
	},
};

main(process.argv.slice(2)).catch((error: unknown) => {
	if (!(error instanceof UnpackError)) throw error;
	process.stderr.write(`earshot: ${error.message}\n`);
	process.exitCode = 1;
});

async function main(words: readonly string[]): Promise<void> {
	const program = new Command("earshot")
		.description("Speech recognition that lives on the device.")
		.option(
			"--set <section.key=value>",
			"a configuration value for this run; may be repeated",
			(value: string, earlier: string[]) => [...earlier, value],
			[],
		)
		.exitOverride((ended) => process.exit(ended.exitCode === 0 ? 0 : 2));
	const asked = words.find((word) => Object.hasOwn(verbs, word));
	for (const [name, verb] of Object.entries(verbs))
		program.addCommand(
			name === asked
				? await verb.load()
				: new Command(name).description(verb.summary),
			{ hidden: verb.hidden ?? false },
		);
	await program.parseAsync(words, { from: "user" });
}

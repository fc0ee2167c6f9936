/** Which files of tests share a process, and in which order the processes start. */

/** Folders whose files have a process each: they start whole appliances, and have little to load themselves; or they measure this process. */
const apartFolders = ["e2e", "fuzz", "hostile"];
/** Files that measure the memory or the event loop of their process, or change it for good; and those that wait for many programs, so that others run meanwhile. */
const apartFiles = new Set([
	"api/bodies.test.ts",
	"cli/backup.test.ts",
	"cli/models-in-use.test.ts",
	"cli/models.test.ts",
	"cli/tokens.test.ts",
	"cli/transcribe.test.ts",
	"engine/real.test.ts",
	"executable/executable.test.ts",
	"ffmpeg/stream.test.ts",
	"files/open-files.test.ts",
	"live/flow.test.ts",
	"microphones/appliance.test.ts",
	"realtime/loop.test.ts",
	"second-ear/everywhere.test.ts",
	"store/many-rows.test.ts",
	"tasks/many-tasks.test.ts",
	"update/update.test.ts",
	"whisper/recognizer.test.ts",
]);
/** Files that share an appliance (test/e2e/shared-appliance.ts). */
const sharingFiles = new Set([
	"e2e/calls.test.ts",
	"e2e/files-docs.test.ts",
	"e2e/openai-clients.test.ts",
	"e2e/openai.test.ts",
	"e2e/readme-clients.test.ts",
	"e2e/realtime.test.ts",
	"e2e/same-text.test.ts",
	"e2e/sdk.test.ts",
	"e2e/speakers.test.ts",
	"e2e/speech-formats.test.ts",
	"e2e/text.test.ts",
	"e2e/word-lists.test.ts",
]);
/** First, because a long one that begins last has the machine for itself. */
const longFolders = [
	"e2e",
	"whisper",
	"engine",
	"cli",
	"second-ear",
	"joined",
	"executable",
	"update",
	"hostile",
	"non-speech",
];

/** @param names of files under test/, as `text/edits.test.ts`. @returns the files of each process. */
export function inProcesses(names: readonly string[]): string[][] {
	const processes = new Map<string, string[]>();
	for (const name of names.toSorted((a, b) => a.localeCompare(b))) {
		const folder = folderOf(name);
		const isApart = apartFolders.includes(folder) || apartFiles.has(name);
		const isSharing = sharingFiles.has(name);
		const key = isApart && !isSharing ? name : folder;
		const together = processes.get(key) ?? [];
		together.push(name);
		processes.set(key, together);
	}
	return [...processes.values()].sort(
		(a, b) => rank(a) - rank(b) || b.length - a.length,
	);
}

function folderOf(name: string | undefined): string {
	return name?.split("/")[0] ?? "";
}

function rank([first]: readonly string[]): number {
	const at = longFolders.indexOf(folderOf(first));
	return at < 0 ? longFolders.length : at;
}

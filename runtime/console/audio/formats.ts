/** Names of files to the interface's names of formats. What a file really is, the device finds out from its bytes. */

const byExtension: Readonly<Record<string, string>> = {
	wav: "wav",
	mp3: "mp3",
	m4a: "m4a",
	aac: "aac",
	flac: "flac",
	ogg: "opus",
	oga: "opus",
	opus: "opus",
	amr: "amr",
	webm: "webm",
	mp4: "mp4",
	mov: "mov",
	mkv: "mkv",
	wma: "wma",
};

export function formatOf(fileName: string): string {
	const extension = fileName.toLowerCase().split(".").at(-1) ?? "";
	return byExtension[extension] ?? "wav";
}

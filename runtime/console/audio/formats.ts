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

const ending =
	/(?<=.)\.(?:3gp|aac|ac3|aif|aiff|amr|avi|caf|flac|m4a|m4b|m4v|mka|mkv|mov|mp2|mp3|mp4|mpeg|mpg|mpga|oga|ogg|opus|wav|webm|wma|wmv)$/i;

/** Without `.mp3`, `.3gp`; a call, whose name is no file's, may end with the name of a host. */
export function withoutEnding(name: string): string {
	return name.replace(ending, "");
}

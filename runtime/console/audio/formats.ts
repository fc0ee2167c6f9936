/** Names of files to the interface's names of formats. What a file really is, the device finds out from its bytes. */

const formatsByEnding: Readonly<Record<string, string>> = {
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
/** Of audio and video, too, but without a name in the interface. */
const otherEndings: readonly string[] = [
	...["3gp", "ac3", "aif", "aiff", "avi", "caf", "m4b", "m4v"],
	...["mka", "mp2", "mpeg", "mpg", "mpga", "wmv"],
];

export function formatOf(fileName: string): string {
	const ending = endingOf(fileName) ?? "";
	return Object.hasOwn(formatsByEnding, ending)
		? (formatsByEnding[ending] as string)
		: "wav";
}

/** Without `.mp3`, `.3gp`; a call, whose name is no file's, may end with the name of a host. */
export function withoutEnding(name: string): string {
	const ending = endingOf(name) ?? "";
	const isOfFile =
		Object.hasOwn(formatsByEnding, ending) || otherEndings.includes(ending);
	const end = name.length - ending.length - 1;
	return isOfFile && end > 0 ? name.slice(0, end) : name;
}

function endingOf(name: string): string | undefined {
	return name.toLowerCase().split(".").at(-1);
}

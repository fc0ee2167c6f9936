/** Links to the audio of a task, for a device of the same site that transcribes it: writing and recognizing them. */
export const sharedAudioPath = "/v1/asrfile/audio";

const idText = "[A-Za-z0-9_-]{22}";
/** Links to recordings are signed with the same key, but end in a format. */
const suffix = ".task";
const filePattern = new RegExp(`^(${idText})\\${suffix}$`);
/** `server.public_url` may have a path in front. */
const linkPath = new RegExp(`${sharedAudioPath}/${idText}\\${suffix}$`);

export function sharedAudioFile(audioId: string): string {
	return `${audioId}${suffix}`;
}

/** @returns its id on the shelf; undefined where the name is not that of shared audio. */
export function sharedAudioId(file: string): string | undefined {
	return filePattern.exec(file)?.[1];
}

/** Whether a URL may be such a link of any device: a URL of this form can't make any other request of a third party. */
export function isSharedAudio(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { pathname, searchParams } = new URL(url);
	const names = [...searchParams.keys()].join();
	return linkPath.test(pathname) && names === "expires,signature";
}

/**
 * `GET /v1/asrfile/audio/{file}`: the audio of a task, for a device of the same site that transcribes it. Only by a signed link, which the owner gives to whom
 * it lends the task.
 */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import type { AudioLinks } from "../../recordings/audio-links.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import { filePieces } from "../file-pieces.js";
import type { Route } from "../router.js";

export const sharedAudioPath = "/v1/asrfile/audio";

export interface SharedAudioParts {
	readonly links: Pick<AudioLinks, "isValid">;
	readonly shelf: Pick<AudioShelf, "path" | "size">;
	readonly nowSeconds: () => number;
}

const idText = "[A-Za-z0-9_-]{22}";
const idPattern = new RegExp(`^${idText}$`);
/** Links to recordings are signed with the same key: theirs end in a format. */
const suffix = ".task";
/** `server.public_url` may have a path of its own in front. */
const linkPath = new RegExp(`${sharedAudioPath}/${idText}\\${suffix}$`);

export function sharedAudioFile(audioId: string): string {
	return `${audioId}${suffix}`;
}

/** Whether a URL may be such a link of any device: nothing else can be asked of a third party with one. */
export function isSharedAudio(url: string): boolean {
	if (!URL.canParse(url)) return false;
	const { pathname, searchParams } = new URL(url);
	const names = [...searchParams.keys()].join();
	return linkPath.test(pathname) && names === "expires,signature";
}

export function sharedAudioRoute(parts: SharedAudioParts): Route {
	return {
		method: "GET",
		path: `${sharedAudioPath}/:file`,
		access: "open", // the signature is the permission
		description: {
			summary: "Audio of a task that is lent to another device",
			query: Type.Object({
				expires: Type.Optional(Type.String()),
				signature: Type.Optional(Type.String()),
			}),
			answer: Type.String({ description: "the file as it was uploaded" }),
			answerType: "application/octet-stream",
			errors: ["100001", "110003"],
		},
		handle: async ({ request, params }) => {
			const { links, shelf, nowSeconds } = parts;
			const file = params.file ?? "";
			const asked = new URLSearchParams(request.query);
			const expires = asked.get("expires") ?? "";
			const signature = asked.get("signature") ?? "";
			if (!links.isValid(file, expires, signature, nowSeconds()))
				throw new CodedError(
					"110003",
					"the link is not ours, or it has expired",
				);
			const id = file.endsWith(suffix) ? file.slice(0, -suffix.length) : "";
			const bytes = idPattern.test(id) ? await shelf.size(id) : undefined;
			if (bytes === undefined)
				throw new CodedError("100001", "this audio is gone");
			return {
				http: 200,
				headers: {
					"Content-Type": "application/octet-stream",
					"Cache-Control": "no-store",
				},
				body: { pieces: () => filePieces(shelf.path(id), 0, bytes), bytes },
			};
		},
	};
}

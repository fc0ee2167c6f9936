/**
 * `GET /v1/asrfile/audio/{file}`: the audio of a task, for a device of the same site that transcribes it. It takes a signed link, which the owner sends to the
 * device it lends the task to.
 */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import type { AudioLinks } from "../../recordings/audio-links.js";
import type { AudioShelf } from "../../store/audio-shelf.js";
import { sharedAudioId, sharedAudioPath } from "../../tasks/shared-audio.js";
import { filePieces } from "../file-pieces.js";
import type { Route } from "../router.js";

export interface SharedAudioParts {
	readonly links: Pick<AudioLinks, "isValid">;
	readonly shelf: Pick<AudioShelf, "path" | "size">;
	readonly nowSeconds: () => number;
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
			const query = new URLSearchParams(request.query);
			const expires = query.get("expires") ?? "";
			const signature = query.get("signature") ?? "";
			if (!links.isValid(file, expires, signature, nowSeconds()))
				throw new CodedError(
					"110003",
					"the link was not issued by this server, or it has expired",
				);
			const id = sharedAudioId(file);
			const bytes = id === undefined ? undefined : await shelf.size(id);
			if (id === undefined || bytes === undefined) throw deleted();
			return {
				http: 200,
				headers: {
					"Content-Type": "application/octet-stream",
					"Cache-Control": "no-store",
				},
				body: {
					pieces: () => filePieces(shelf.path(id), 0, bytes, deleted),
					bytes,
				},
			};
		},
	};
}

function deleted(): CodedError {
	return new CodedError("100001", "this audio has been deleted");
}

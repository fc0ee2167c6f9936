/**
 * `GET /v1/asr/audio/{id}.{format}`: stored audio, by the signature of its link or with a token of its owner (docs/decisions.md section 11), whole or in part.
 */
import { Type } from "@sinclair/typebox";
import { wavHeader } from "../../audio/wav-header.js";
import { CodedError } from "../../errors.js";
import { audioPath } from "../../recordings/audio-links.js";
import type { ReadyRow } from "../../recordings/conversions.js";
import type { Recordings } from "../../recordings/recordings.js";
import type { RecordingRow } from "../../store/recordings.js";
import { maySee } from "../auth.js";
import type {
	ApiRequest,
	ApiResponse,
	Principal,
	RequestContext,
} from "../exchange.js";
import { filePieces } from "../file-pieces.js";
import { ranged } from "../ranged.js";
import type { Route } from "../router.js";

type StoredAudio = Pick<
	Recordings,
	"links" | "shelf" | "find" | "ready" | "linkSeconds"
>;

export interface AudioRouteParts {
	readonly recordings: StoredAudio;
	/** @throws CodedError 110001, 110002, 110003, 100005 */
	admit(request: ApiRequest): Principal;
}

const contentTypes = {
	mp3: "audio/mpeg",
	wav: "audio/wav",
	pcm: "application/octet-stream", // audio/L16 has the other byte order
} as const;

const filePattern = /^([A-Za-z0-9_-]{22})\.(mp3|wav|pcm)$/;

const query = Type.Object({
	expires: Type.Optional(
		Type.String({ description: "Expiry of the link, Unix time in seconds." }),
	),
	signature: Type.Optional(Type.String()),
});

export function audioRoute(parts: AudioRouteParts): Route {
	return {
		method: "GET",
		path: `${audioPath}/:file`,
		access: "open", // a signature is as good as a token
		description: {
			summary: "Stored audio of a short recognition (audio_url)",
			query,
			answer: Type.String({ description: "the audio, whole or a Range of it" }),
			answerType: "application/octet-stream",
			errors: ["100001", "110001", "110002", "110003", "200002"],
		},
		handle: (context) => fetchAudio(context, parts),
	};
}

async function fetchAudio(
	{ request, params }: RequestContext,
	parts: AudioRouteParts,
): Promise<ApiResponse> {
	const file = params.file ?? "";
	const [, id = "", format = ""] = filePattern.exec(file) ?? [];
	const { recordings } = parts;
	const row = recordings.find(id);
	const principal = admit(request, file, row, parts);
	// another owner's audio is reported as missing: guessing ids reveals nothing
	if (row?.format !== format || (principal && !maySee(principal, row.owner)))
		throw gone();
	const ready = await recordings.ready(id);
	if (!ready) throw gone();
	return send(request, ready, recordings);
}

/** @returns undefined where the link itself is the permission. */
function admit(
	request: ApiRequest,
	file: string,
	row: RecordingRow | undefined,
	{ recordings, admit: admitToken }: AudioRouteParts,
): Principal | undefined {
	const link = new URLSearchParams(request.query);
	const signature = link.get("signature");
	if (signature === null) return admitToken(request);
	const expires = link.get("expires") ?? "";
	const nowSeconds = recordings.linkSeconds(row);
	if (recordings.links.isValid(file, expires, signature, nowSeconds))
		return undefined;
	throw new CodedError(
		"110003",
		"the link was not issued by this server, or it has expired",
	);
}

async function send(
	request: ApiRequest,
	row: ReadyRow,
	{ shelf }: Pick<StoredAudio, "shelf">,
): Promise<ApiResponse> {
	const stored = await shelf.size(row.audioId);
	if (stored === undefined) throw gone();
	const { holds } = row;
	const dataBytes = holds.is === "pcm" ? stored - (stored % 2) : stored;
	const head =
		holds.is === "pcm" && row.format === "wav"
			? wavHeader(holds.sampleRateHz, dataBytes)
			: new Uint8Array(0);
	const bytes = head.length + dataBytes;
	const path = shelf.path(row.audioId);
	return ranged(request, bytes, headersOf(row), (from, to) =>
		piecesOf(path, head, from, to),
	);
}

function headersOf(row: RecordingRow): Record<string, string> {
	return {
		"Content-Type": contentTypes[row.format],
		"Cache-Control": "private, max-age=86400, immutable",
		"Content-Disposition": `inline; filename="${row.id}.${row.format}"`,
		ETag: `"${row.id}"`,
		"X-Content-Type-Options": "nosniff",
	};
}

/** The file is opened before the header is sent. @param from and to count header and file together. */
async function* piecesOf(
	path: string,
	head: Uint8Array,
	from: number,
	to: number,
): AsyncGenerator<Uint8Array> {
	const start = Math.max(0, from - head.length);
	const audio = filePieces(path, start, to - head.length, gone);
	const first = await audio.next();
	try {
		if (from < head.length)
			yield head.subarray(from, Math.min(to, head.length));
		if (!first.done) yield first.value;
		yield* audio;
	} finally {
		await audio.return(undefined);
	}
}

function gone(): CodedError {
	return new CodedError("100001", "no such audio: it is kept for 30 days");
}

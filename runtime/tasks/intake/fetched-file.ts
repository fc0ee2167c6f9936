/** `file_url`: fetches the file onto the shelf, under the policy of outbound requests (docs/interface.md section 7: 200009). */

import { CodedError } from "../../errors.js";
import type { Outbound } from "../../outbound/outbound.js";
import { OutboundError } from "../../outbound/outbound-error.js";
import type { AudioDraft, AudioShelf } from "../../store/audio-shelf.js";
import { nameInUrl } from "./shown-name.js";

/** A received file that belongs to no task yet. */
export interface UploadedFile {
	readonly draft: AudioDraft;
	/** For display. */
	readonly name: string;
}

export interface FetchParts {
	readonly outbound: Pick<Outbound, "send">;
	readonly shelf: Pick<AudioShelf, "begin">;
	readonly secondsMax: number;
	/** Default 5. */
	readonly redirectsMax?: number;
}

const usualRedirectsMax = 5;
const patience = {
	connectSecondsMax: 10,
	headersSecondsMax: 30,
	idleSecondsMax: 30,
	pieceSecondsMax: 32, // 1 KiB per second, as for uploads
};

/** The caller owns the file and must commit or discard it. @throws CodedError 100004, 200004, 200009; the signal's reason */
export async function fetchFile(
	url: string,
	bytesMax: number,
	parts: FetchParts,
	signal: AbortSignal,
): Promise<UploadedFile> {
	try {
		return await fetched(url, bytesMax, parts, signal);
	} catch (thrown) {
		if (!(thrown instanceof OutboundError)) throw thrown;
		const { trouble, message, cause } = thrown;
		const status = trouble === "too-large" ? "200004" : "200009";
		throw new CodedError(status, `file_url can't be fetched: ${message}`, {
			cause,
		});
	}
}

async function fetched(
	url: string,
	bytesMax: number,
	{ outbound, shelf, secondsMax, redirectsMax = usualRedirectsMax }: FetchParts,
	signal: AbortSignal,
): Promise<UploadedFile> {
	const answer = await outbound.send(url, {
		method: "GET",
		redirectsMax,
		limits: { ...patience, secondsMax, bytesMax },
		signal,
	});
	try {
		const { status, headers } = answer;
		if (status !== 200) throw unfit(`the server answered ${status}`);
		const coding = headers["content-encoding"];
		if (coding !== undefined && coding !== "identity")
			throw unfit("the answer is compressed, which was not requested");
		const expected = Number(headers["content-length"]);
		const draft = await shelf.begin(
			expected > 0 ? Math.min(expected, bytesMax) : 0,
		);
		try {
			for await (const chunk of answer.body()) await draft.append(chunk);
			return { draft, name: nameInUrl(url) };
		} catch (thrown) {
			await draft.discard();
			throw thrown;
		}
	} finally {
		answer.close();
	}
}

function unfit(why: string): OutboundError {
	return new OutboundError("unreachable", why);
}

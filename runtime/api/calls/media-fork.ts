/**
 * FreeSWITCH's `mod_audio_stream` and `mod_audio_fork`, and whatever sends audio in binary frames: the first text is the operator's metadata, which may be
 * anything. A JSON object's keys that are named like those of the query are options.
 */
import { callOptionNames } from "./call-options.js";
import type { CallMessage, Dialect } from "./dialect.js";
import { type TextFrame, textsOf } from "./text-object.js";

export class MediaForkDialect implements Dialect {
	readonly name = "fork";
	readonly listens = true;
	readonly sendsBinary = true;
	/** As its `lws_glue.cpp` reads `transcription` and `error`. */
	readonly repeatsInData = true;
	/** `uuid_audio_fork ... graceful-shutdown`, after which it only reads. */
	readonly endsWithEmptyFrame = true;
	#hasStarted = false;

	get ignoresTexts(): boolean {
		return this.#hasStarted;
	}

	read({ object }: TextFrame): CallMessage {
		this.#hasStarted = true;
		const first = textsOf(object, callOptionNames);
		return { is: "start", start: { first, last: {} } };
	}
}

/** jambonz with a custom speech vendor: `start`, then 16-bit audio, then `stop`; it reads results until this side closes. */
import type { CallMessage, Dialect } from "./dialect.js";
import { type TextFrame, textsOf } from "./text-object.js";

export class JambonzDialect implements Dialect {
	readonly name = "jambonz";
	readonly listens = true;
	readonly sendsBinary = true;
	#hasStarted = false;

	read({ object: message }: TextFrame): CallMessage {
		if (message?.type === "stop") return { is: "stop" };
		if (message?.type !== "start" || this.#hasStarted) return { is: "nothing" };
		this.#hasStarted = true;
		const { sampleRateHz, language } = textsOf(message, [
			"sampleRateHz",
			"language",
		]);
		return {
			is: "start",
			start: {
				first: { rate: sampleRateHz, encoding: "pcm_s16le" },
				last: { lang_type: language },
				interim: message.interimResults === true,
			},
		};
	}
}

/** What each command does. A new one is an entry here, its payload in payloads/commands.ts and its name in the configuration's list. */
import { parseJson } from "../../validate.js";
import type { IncomingMessage } from "../broker/connection.js";
import type { House } from "../house-port.js";
import { type CommandName, commandPayloads } from "../payloads/commands.js";
import { Transcriber } from "./transcriber.js";

/** @returns what the reply says beside success. @throws CodedError */
export type Carrier = (
	command: CommandName,
	body: Record<string, unknown>,
	message: IncomingMessage,
) => Promise<Record<string, unknown> | null>;

export function carrierFor(house: House, signal: AbortSignal): Carrier {
	const transcriber = new Transcriber({ house, signal });
	return async (command, body, message) => {
		switch (command) {
			case "reload": {
				const { changed, needRestart } = house.reload();
				return { changed: [...changed], need_restart: [...needRestart] };
			}
			case "mute": {
				const { values } = parseJson(commandPayloads.mute, body);
				house.microphones.mute(values.microphone, values.muted);
				return null;
			}
			case "talk": {
				const { values } = parseJson(commandPayloads.talk, body);
				house.microphones.talk(values.microphone, values.talking);
				return null;
			}
			case "hotwords": {
				const { values } = parseJson(commandPayloads.hotwords, body);
				house.microphones.setHotwords(values.microphone, values.words);
				return null;
			}
			case "transcribe":
				return transcriber.transcribe(body, message);
			case "restart-engine": {
				const { values } = parseJson(commandPayloads["restart-engine"], body);
				house.restartEngine(values.lane);
				return null;
			}
		}
	};
}

/** What each command does. A new one is an entry here, its payload in payloads/commands.ts and its name in the configuration's list. */
import { parseJson } from "../../api/validate.js";
import { CodedError } from "../../errors.js";
import type { House } from "../house-port.js";
import { type CommandName, commandPayloads } from "../payloads/commands.js";

/** @returns what the reply says beside success. @throws CodedError */
export type Carrier = (
	command: CommandName,
	body: Record<string, unknown>,
) => Promise<Record<string, unknown> | null>;

/** Fetching of URLs that commands asked for, at the same time. */
const fetchesMax = 4;

export function carrierFor(house: House, signal: AbortSignal): Carrier {
	let fetches = 0;
	const transcribe = async (body: Record<string, unknown>) => {
		parseJson(commandPayloads.transcribe, body);
		if (fetches >= fetchesMax)
			throw new CodedError(
				"100004",
				`at capacity, try again later: ${fetchesMax} files are being fetched`,
			);
		fetches++;
		try {
			const { request: _, ...options } = body;
			const { taskId, seconds } = await house.transcribe(options, signal);
			return { task_id: taskId, duration: seconds };
		} finally {
			fetches--;
		}
	};
	return async (command, body) => {
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
				return transcribe(body);
			case "restart-engine": {
				const { values } = parseJson(commandPayloads["restart-engine"], body);
				house.restartEngine(values.lane);
				return null;
			}
		}
	};
}

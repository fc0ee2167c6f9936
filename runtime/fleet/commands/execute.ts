/** Executes the commands. A new command is an entry here, its payload in payloads/commands.ts and its name in the configuration's list. */
import { CodedError } from "../../errors.js";
import { parseJson } from "../../json/validate.js";
import type { AppliancePort } from "../appliance-port.js";
import type { IncomingMessage } from "../broker/messages.js";
import { type CommandName, commandPayloads } from "../payloads/commands.js";
import { TranscribeCommand } from "./transcribe-command.js";

/** @returns `data` of the reply. @throws CodedError */
export type CommandExecutor = (
	command: CommandName,
	body: Record<string, unknown>,
	message: IncomingMessage,
) => Promise<Record<string, unknown> | null>;

export function commandExecutor(
	appliance: AppliancePort,
	signal: AbortSignal,
): CommandExecutor {
	const transcriber = new TranscribeCommand({ appliance, signal });
	return async (command, body, message) => {
		switch (command) {
			case "reload": {
				const { changed, needRestart } = appliance.reload();
				return { changed: [...changed], need_restart: [...needRestart] };
			}
			case "mute": {
				const { values } = parseJson(commandPayloads.mute, body);
				await appliance.microphones.mute(values.microphone, values.muted);
				return null;
			}
			case "talk": {
				const { values } = parseJson(commandPayloads.talk, body);
				appliance.microphones.talk(values.microphone, values.talking);
				return null;
			}
			case "hotwords": {
				const { values } = parseJson(commandPayloads.hotwords, body);
				appliance.microphones.setHotwords(values.microphone, values.words);
				return null;
			}
			case "transcribe":
				return transcriber.execute(body, message);
			case "restart-engine": {
				const { values } = parseJson(commandPayloads["restart-engine"], body);
				appliance.restartEngine(values.lane);
				return null;
			}
			case "pair": {
				const { values } = parseJson(commandPayloads.pair, body);
				// whoever has the code may sign in: it is for its sender, not for all who read `replies`
				if (message.responseTopic === undefined)
					throw new CodedError(
						"200001",
						"pair needs a response topic (MQTT 5)",
					);
				const pairing = await appliance.pair(values.name, values.scopes);
				const { address, code, link, expiresSeconds } = pairing;
				const expires_ms = Math.round(expiresSeconds * 1000);
				return { address, code, link, expires_ms };
			}
		}
	};
}

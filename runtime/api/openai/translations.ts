/** `POST /v1/audio/translations`: no installed model translates, and a client is to learn that from an error of its own protocol. */
import { Type } from "@sinclair/typebox";
import { CodedError } from "../../errors.js";
import { tokenOfAnyClient } from "../credentials.js";
import type { Route } from "../router.js";
import { openAiFailure } from "./error.js";

export function translationRoute(): Route {
	return {
		method: "POST",
		path: "/v1/audio/translations",
		access: "asr",
		tokenOf: tokenOfAnyClient,
		dialect: openAiFailure,
		endpoint: "openai",
		description: {
			summary: "OpenAI: translate a file into English; no model here does",
			answer: Type.Object({ text: Type.String() }),
			answerType: "application/json",
			errors: ["200002"],
		},
		handle: async () => {
			throw new CodedError(
				"200002",
				"no model on this device translates; POST /v1/audio/transcriptions returns the text in the language that is spoken",
				{ param: "model", code: "unsupported_model" },
			);
		},
	};
}

/** OpenAI's audio interface, where `endpoints.openai` is on, and whisper.cpp's, which takes the same form. */
import type { Route } from "../router.js";
import { modelRoutes } from "./models.js";
import {
	inferenceRoute,
	type TranscriptionParts,
	transcriptionRoute,
	translationRoute,
} from "./transcriptions.js";

export function openAiRoutes(parts: TranscriptionParts): readonly Route[] {
	const { openai, whisper_cpp } = parts.endpoints();
	return [
		...(openai
			? [
					transcriptionRoute(parts),
					translationRoute(parts),
					...modelRoutes(parts.models),
				]
			: []),
		...(whisper_cpp ? [inferenceRoute(parts)] : []),
	];
}

/** OpenAI's audio interface, where `endpoints.openai` is on. */
import type { Route } from "../router.js";
import { modelRoutes } from "./models.js";
import {
	type TranscriptionParts,
	transcriptionRoute,
	translationRoute,
} from "./transcriptions.js";

export function openAiRoutes(parts: TranscriptionParts): readonly Route[] {
	if (!parts.endpoints().openai) return [];
	return [
		transcriptionRoute(parts),
		translationRoute(parts),
		...modelRoutes(parts.models),
	];
}

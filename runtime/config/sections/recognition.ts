import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const recognitionSection = {
	beam: setting(
		Type.Integer({ minimum: 1, maximum: 16 }),
		5,
		"Hypotheses kept while searching; more than 8 cost time and bring little.",
	),
	verify_model: setting(
		Type.Boolean(),
		true,
		"Compare the checksums of the model's files whenever an engine loads them.",
	),
};

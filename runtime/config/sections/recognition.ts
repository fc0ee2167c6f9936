/** How segments are decoded, whatever the model. */
import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const recognitionSection = {
	beam: setting(
		Type.Integer({ minimum: 1, maximum: 16 }),
		5,
		"Hypotheses kept during the search; more than 8 cost time and improve little.",
	),
	partial_milliseconds: setting(
		Type.Integer({ minimum: 100, maximum: 5000 }),
		240,
		"Minimum of speech between two partial results; on a slow or busy device they are further apart automatically. Words do not arrive faster than the default.",
	),
	verify_model: setting(
		Type.Boolean(),
		true,
		"Compare the checksums of the model's files whenever an engine loads them.",
	),
};

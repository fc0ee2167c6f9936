import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const callbackSection = {
	secret: setting(
		Type.String({ maxLength: 1000 }),
		"",
		"Key of the signature on callbacks (X-Earshot-Signature: sha256=HMAC of the body); empty: callbacks are not signed.",
		{ secret: true },
	),
};

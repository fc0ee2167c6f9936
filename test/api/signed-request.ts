/** The fields of an application's token request. */
import { createHmac } from "node:crypto";
import type { AppRow } from "../../runtime/store/apps.js";
import { nextUuid } from "../fixtures/ids.js";

export const platformTokenPath = "/platform/v1/auth/online/token";

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** The request as the `dolphinvoice` SDK makes it. */
export function signed(
	app: Pick<AppRow, "id" | "secret">,
	timestamp = nowSeconds(),
) {
	const text = `app_id=${app.id}&secret=${app.secret}&timestamp=${timestamp}`;
	return {
		app_id: app.id,
		timestamp,
		signatureNonce: nextUuid(),
		signature: createHmac("sha1", app.secret).update(text).digest("base64"),
	};
}

import { Type } from "@sinclair/typebox";
import { setting } from "../setting.js";

export const updateSection = {
	from: setting(
		Type.String(),
		"",
		"Where earshot update looks for another version: a URL or a file, its signature beside it (.minisig); empty: given by --from.",
	),
	keys: setting(
		Type.Array(Type.String({ minLength: 1 }), { maxItems: 16 }),
		[],
		"Public keys of minisign (RW..., 56 characters) that may sign another version; empty: the one that is built in, if there is one.",
	),
	healthy_seconds: setting(
		Type.Integer({ minimum: 5, maximum: 3600 }),
		60,
		"A new version that is not healthy after this many seconds is rolled back.",
	),
};

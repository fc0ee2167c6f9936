/** `earshot load-libraries`: loads every native library of this program; an update runs it with a new version before installing it. */
import type { Command } from "commander";
import { action, print, verb } from "./verb.js";

export function librariesCommand(): Command {
	return verb("load-libraries", "loads every native library").action(
		action(async () => {
			(await import("../api/server/native.js")).loadNative();
			await import("../../drivers/onnx/session.js");
			await import("../store/database.js");
			print("every library loads");
		}),
	);
}

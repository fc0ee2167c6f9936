/** `earshot load-libraries`: every native library of this program, loaded; an update asks a new version for it before it takes its place. */
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

/** Commands of another user than root, run by root. */
import { spawnSync } from "node:child_process";
import { main } from "./earshot.js";

/** `nobody`, on Debian. */
export const otherUser = { uid: 65_534, gid: 65_534 };

/** Why such tests can't run here; false where they can. */
export const skipOthers = whySkipped();

function whySkipped(): string | false {
	if (process.geteuid?.() !== 0) return "only root can be others";
	const { status } = spawnSync(
		process.execPath,
		[main, "--version"],
		otherUser,
	);
	return status === 0 ? false : "other users can't run the program here";
}

export function asOtherUser(
	environment: Readonly<Record<string, string>>,
	...words: readonly string[]
) {
	const env = { ...process.env, ...environment };
	return spawnSync(process.execPath, [main, ...words], {
		...otherUser,
		env,
		encoding: "utf8",
	});
}

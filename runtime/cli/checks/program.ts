/** Checks of the program itself: Node, its code, the native libraries. */
import { glibcVersion } from "../../process/glibc-version.js";
import { broken, type Finding, ok, warning } from "./finding.js";

const nodeMajorMin = 20;

export async function checkNode(
	version = process.versions.node,
): Promise<Finding> {
	const about = "Node.js";
	const says = `${version}, glibc ${glibcVersion() ?? "unknown"}, ${process.arch}`;
	if (Number(version.split(".")[0]) < nodeMajorMin)
		return broken(about, says, `install Node.js ${nodeMajorMin}`);
	return ok(about, says);
}

/** @param wasCompiled whether this process began with compiled code; undefined: its modules were loaded one by one. */
export function checkCode(
	wasCompiled: boolean | undefined,
	isInExecutable: boolean,
): Finding {
	const about = "code";
	if (wasCompiled) return ok(about, "compiled in advance");
	if (isInExecutable)
		return ok(
			about,
			"compiled at this start; a server that runs for a minute keeps what was compiled for the next ones",
		);
	return warning(
		about,
		"compiled at this start, which takes a few tenths of a second each time",
		"run scripts/prepare",
	);
}

/** @param load imports the library; throws if this system can't load the prebuilt binary. */
export async function checkNative(
	about: string,
	load: () => Promise<unknown>,
): Promise<Finding> {
	try {
		await load();
		return ok(about, "loads");
	} catch (error) {
		const [why] = (error as Error).message.split("\n");
		return broken(
			about,
			`can't be loaded: ${why}`,
			`use Node.js 20 with glibc before 2.38 (this one is ${glibcVersion() ?? "unknown"}), and run npm ci again`,
		);
	}
}

/** A file system without a byte of space, for the programs of a test (where `skipMounts` of small-disk.ts says no reason against it). */
import { execFile } from "node:child_process";

/** Mounts a small file system at `$1`, runs the first program there, fills it, and runs the others; what each ends with is in a line of its own. */
const script = `
mount -t tmpfs -o size=12m none "$1" || exit 1
shift
eval "$1" || exit 1
dd if=/dev/zero of="$DISK/fill" bs=1k 2>/dev/null
shift
for it; do eval "$it"; echo "ended with $?"; done`;

/** @param first and others are lines for a shell; `$DISK` is the folder. @returns all that they wrote. */
export function onFullDisk(
	folder: string,
	first: string,
	...others: readonly string[]
): Promise<string> {
	const words = ["-m", "sh", "-c", script, "sh", folder, first, ...others];
	const env = {
		...process.env,
		NODE_OPTIONS: "", // the test runner's own hooks would write
		DISK: folder,
		EARSHOT_STATE_DIR: `${folder}/state`,
	};
	return new Promise((resolve) =>
		execFile("unshare", words, { env }, (_error, out, err) =>
			resolve(out + err),
		),
	);
}

/** A libasound whose card does what the environment says (test/fixtures/fake-asound.c), built by the test itself. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import t from "tap";

const folder = mkdtempSync(join(tmpdir(), "earshot-card-"));
t.teardown(() => rmSync(folder, { recursive: true, force: true }));
const built = spawnSync("cc", [
	...["-shared", "-fPIC", "-o", join(folder, "libasound.so.2")],
	"test/fixtures/fake-asound.c",
]);

/** Why it can't be had here; false where it can. */
export const fakeAsoundMissing: string | false =
	built.status === 0 ? false : "no C compiler (cc) here";

/** @returns the environment in which every sound card is that one. */
export function fakeAsound(
	card: Record<string, string>,
): Record<string, string> {
	return { LD_LIBRARY_PATH: folder, ...card };
}

/** test/fixtures/kernel-check.c, the kernels without ONNX Runtime. */
import { execFileSync } from "node:child_process";
import { arch } from "node:os";
import { join } from "node:path";
import { madeOnce } from "../fixtures/made-once.js";
import { NotHere } from "../fuzz/property.js";

/** Of addresses and of undefined behaviour: compiling with them takes ten seconds. */
export const sanitizers =
	"-fsanitize=address,undefined -fno-sanitize-recover=all";

/** @param make compiles something with them. @throws NotHere where it can't */
export async function sanitized(make: () => Promise<string>): Promise<string> {
	try {
		return await make();
	} catch {
		throw new NotHere("gcc with its sanitizers");
	}
}

/** @throws where there is no compiler */
export function compilerVersion(): string {
	return execFileSync("gcc", ["--version"], { encoding: "utf8" });
}

/** @returns the path of the program. @throws where there is no compiler */
export async function buildKernelCheck(flags = ""): Promise<string> {
	const build = "drivers/onnx/capi/native/build";
	const folder = await madeOnce(
		{
			name: `kernel-check${flags && "-sanitized"}`,
			of: [
				build,
				"drivers/onnx/capi/kernels",
				"test/fixtures/kernel-check.c",
				...["ort_api.h", "runtime.h"].map((it) => join(build, "..", it)),
			],
			given: [flags, compilerVersion()],
		},
		(folder) =>
			execFileSync(build, ["--check", folder], {
				env: { ...process.env, ARCH: arch(), CFLAGS: flags },
				stdio: "pipe",
			}),
	);
	return join(folder, `kernel-check-${arch()}`);
}

/** @returns what it printed. @throws with that where a kernel differs from plain C, or a sanitizer found something */
export function runKernelCheck(program: string, ...words: string[]): string {
	try {
		return execFileSync(program, words, { encoding: "utf8", stdio: "pipe" });
	} catch (error) {
		const { stdout, stderr } = error as { stdout: string; stderr: string };
		throw new Error(`${stdout}${stderr}`);
	}
}

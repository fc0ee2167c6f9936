/**
 * Our kernels in ONNX Runtime, given inputs that do not fit together, in a process of its own with a native library that was compiled with sanitizers: a shape is refused before anything is touched.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { arch } from "node:os";
import { join, resolve } from "node:path";
import { madeOnce } from "../fixtures/made-once.js";
import type { Property } from "../fuzz/property.js";
import { below } from "../fuzz/random.js";
import { compilerVersion, sanitized, sanitizers } from "./kernel-check.js";

const native = "drivers/onnx/capi/native";
const casesAtOnce = 50;

export async function shapesAreRefused(): Promise<Property<number>> {
	const checkout = await sanitized(sanitizedCheckout);
	return {
		name: "processors/kernel-shapes",
		promise: "our kernels refuse inputs that do not fit together",
		draw: (random) => below(random, 2 ** 31),
		check(seed) {
			tryOddShapes(seed, casesAtOnce, checkout);
		},
	};
}

/** @param checkout of `sanitizedCheckout`; default: this one, without sanitizers. @throws with what the process said where it did not end by itself */
export function tryOddShapes(
	seed: number,
	count: number,
	checkout?: string,
): { readonly refused: number; readonly computed: number } {
	const program = "build/test/processors/odd-shapes.js";
	const words = [join(checkout ?? ".", program), `${seed}`, `${count}`];
	const links = ["--preserve-symlinks", "--preserve-symlinks-main"];
	try {
		const output = execFileSync(
			process.execPath,
			checkout ? [...links, ...words] : words,
			{
				encoding: "utf8",
				stdio: "pipe",
				env: { ...process.env, ...(checkout && watched()) },
			},
		);
		const [refused = Number.NaN, computed = Number.NaN] =
			output.match(/\d+/g)?.map(Number) ?? [];
		return { refused, computed };
	} catch (error) {
		const { stderr, signal } = error as { stderr: string; signal: string };
		throw new Error(`${signal ?? ""} ${stderr.slice(-4000)}`);
	}
}

/** Only our library is compiled with them, so they have to be loaded before the program. */
function watched(): NodeJS.ProcessEnv {
	const library = (name: string) =>
		execFileSync("gcc", [`-print-file-name=${name}.so`], {
			encoding: "utf8",
		}).trim();
	return {
		LD_PRELOAD: `${library("libasan")}:${library("libubsan")}`,
		ASAN_OPTIONS: "detect_leaks=0", // of Node
	};
}

/** A folder that is like the checkout to a program in it, but for the native library. @throws where there is no compiler */
function sanitizedCheckout(): Promise<string> {
	return madeOnce(
		{
			name: "sanitized",
			of: [native, "drivers/onnx/capi/kernels"],
			given: [sanitizers, compilerVersion()],
		},
		(folder) => {
			mkdirSync(join(folder, native), { recursive: true });
			execFileSync(join(native, "build"), [join(folder, native)], {
				env: { ...process.env, ARCH: arch(), CFLAGS: `-g ${sanitizers}` },
				stdio: "pipe",
			});
			for (const name of ["build", "node_modules", "package.json"])
				symlinkSync(resolve(name), join(folder, name));
		},
	);
}

/** Debian packages, made of files in the place of executables. */
import { execFileSync } from "node:child_process";
import {
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import t from "tap";
import { installRoot } from "../../runtime/config/install-root.js";
import { ownVersion } from "../../scripts/executable/bundle.js";
import {
	architectures,
	executableName,
	usualFlavour as flavour,
} from "../../scripts/executable/target.js";
import { ended } from "../cli/earshot.js";

const program = join(
	installRoot,
	"build/scripts/executable/debian/build-deb.js",
);
const skip = existsSync("/usr/bin/dpkg-deb") ? false : "no dpkg-deb here";

t.test("of two built at once each has its own program", { skip }, async (t) => {
	const dir = t.testdir();
	const built = architectures.map(async (architecture) => {
		const out = join(dir, architecture);
		mkdirSync(out);
		const name = executableName(ownVersion(), { architecture, flavour });
		writeFileSync(join(out, name), `for ${architecture}`);
		const words = ["--arch", architecture, "--out", out, "--without-models"];
		const { code, err } = await ended(
			process.execPath,
			[program, ...words],
			{},
		);
		t.equal(code, 0, err);
		const deb = readdirSync(out).find((it) => it.endsWith(".deb")) ?? "";
		execFileSync("dpkg-deb", ["-x", join(out, deb), join(out, "unpacked")]);
		const unpacked = readFileSync(
			join(out, "unpacked/usr/bin/earshot"),
			"utf8",
		);
		t.equal(unpacked, `for ${architecture}`);
	});
	await Promise.all(built);
});

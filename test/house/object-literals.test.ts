/** Properties stand in their object: of a literal that is spread into another the compiler does not check the names. */
import { readFileSync } from "node:fs";
import t from "tap";
import { sourcesOf } from "./sources.js";

const spreadLiteral = ["...", "{"].join("");

for (const top of ["runtime", "drivers", "scripts", "test"])
	t.test(`no object literal of ${top} is spread into another`, async (t) => {
		const files = sourcesOf(top);
		t.ok(files.length > 0, `${files.length} files`);
		const others = files.filter((file) =>
			readFileSync(file, "utf8").includes(spreadLiteral),
		);
		t.same(others, []);
	});

/** One style of what is private in a class: `#name`, which holds at run time too. A private constructor has no other form. */
import { readFileSync } from "node:fs";
import t from "tap";
import { sourcesOf } from "./sources.js";

const member =
	/^\s*(?:(?:private|protected)\s+(?!constructor)|constructor\(\s*(?:private|protected)\s)/m;

for (const top of ["runtime", "drivers", "scripts"])
	t.test(`${top} says # and not private`, async (t) => {
		const files = sourcesOf(top);
		t.ok(files.length > 0, `${files.length} files`);
		const others = files.filter((file) =>
			member.test(readFileSync(file, "utf8")),
		);
		t.same(others, []);
	});

/** Names are made of the glossary's words, and not of those that it lists as unused (docs/glossary.md, "Words we do not use"). */
import { readFileSync } from "node:fs";
import t from "tap";
import { sourcesOf } from "./sources.js";

const unused = new Set(
	[
		"hear hears heard hearing unheard tell tells told telling say said saying",
		"ear ears door doors desk house stretch stretches wish wishes asked news",
		"stuff utils len",
		"recognise recognises recognised recogniser recognising",
	].flatMap((line) => line.split(" ")),
);

/** Names that are stored or sent, or that another program gave. */
const outside = new Set([
	"heard", // an event of file jobs between devices; a part of scripts/bench fleet
	"unheard",
	"stretch",
	"stretches",
	"askedSeconds",
	"ear", // an option of scripts/bench second-ear
	"len", // a property of protobufjs' reader
	"pathLenConstraint", // X.509
]);

/** Comments and texts are prose; of a template, what is inserted is code. */
const prose =
	/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/g;
const insertion = /\$\{([^}]*)\}/g;

function withoutProse(code: string): string {
	return code.replace(prose, (text) => {
		const inserted = text.startsWith("`") ? text.matchAll(insertion) : [];
		return Array.from(inserted, ([, it = ""]) => withoutProse(it)).join(" ");
	});
}

function unusedIn(code: string): string[] {
	const names = withoutProse(code).match(/[A-Za-z_$][\w$]*/g) ?? [];
	return [...new Set(names)].filter((name) => {
		// "second ear" is the name of a part of the product
		const words = name.replace(/second_?ear/gi, "").match(/[A-Z]?[a-z]+/g);
		const isUnused = words?.some((word) => unused.has(word.toLowerCase()));
		return isUnused && !outside.has(name);
	});
}

for (const top of ["runtime", "drivers", "scripts"])
	t.test(`${top} is named in the words of the glossary`, async (t) => {
		const files = sourcesOf(top);
		t.ok(files.length > 0, `${files.length} files`);
		for (const file of files)
			t.same(unusedIn(readFileSync(file, "utf8")), [], file);
	});

t.test("a name of an unused word is found, prose is not", async (t) => {
	t.same(unusedIn("const whatWasSaid = heardOf(it);"), [
		"whatWasSaid",
		"heardOf",
	]);
	t.same(
		unusedIn('/* as told */ send("said"); // by ear\nopenSecondEar();'),
		[],
	);
});

/** The pages of this repository as tests read them: links, headings, numbered sections, and what refers to a page. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const topPages = [
	"README.md",
	"CHANGELOG.md",
	"BENCHMARKS.md",
	"CONTRIBUTING.md",
];

/** Every page, from the repository's root. */
export function pagesOfRepository(): string[] {
	return [...topPages.filter((it) => existsSync(it)), ...filesUnder("docs")]
		.filter((it) => it.endsWith(".md"))
		.sort();
}

export function filesUnder(directory: string): string[] {
	return readdirSync(directory, { recursive: true, withFileTypes: true })
		.filter((it) => it.isFile())
		.map((it) => join(it.parentPath, it.name));
}

const texts = new Map<string, string>();

export function textOf(path: string): string {
	const text = texts.get(path) ?? readFileSync(path, "utf8");
	texts.set(path, text);
	return text;
}

/** `](target)` outside of code. */
export function linksIn(text: string): string[] {
	const prose = withoutFences(text).replace(/`[^`\n]*`/g, "");
	return [...prose.matchAll(/\]\(\s*<?([^()\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)].map(
		([, target = ""]) => target,
	);
}

/** @param page that has the link. @returns why it leads nowhere; undefined where it leads to a file, or out of the repository. */
export function brokenLink(page: string, target: string): string | undefined {
	if (/^[a-z]+:/.test(target)) return undefined;
	const [path = "", anchor] = target.split("#");
	const file = path === "" ? page : normalize(join(dirname(page), path));
	if (!existsSync(file)) return `${page}: ${target}: no ${file}`;
	if (anchor === undefined || !file.endsWith(".md")) return undefined;
	return anchorsOf(textOf(file)).has(anchor)
		? undefined
		: `${page}: ${target}: ${file} has no such heading`;
}

/** As GitHub makes them: the second heading of a name is `name-1`. */
function anchorsOf(text: string): ReadonlySet<string> {
	const counts = new Map<string, number>();
	const anchors = headingsOf(text).map((heading) => {
		const slug = heading
			.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
			.toLowerCase()
			.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
			.replaceAll(" ", "-");
		const count = counts.get(slug) ?? 0;
		counts.set(slug, count + 1);
		return count === 0 ? slug : `${slug}-${count}`;
	});
	return new Set(anchors);
}

/** `4` and `4.1` of headings that begin so. */
function sectionsOf(text: string): ReadonlySet<string> {
	const numbers = headingsOf(text).map((it) => /^(\d+(?:\.\d+)?)\.? /.exec(it));
	return new Set(numbers.flatMap((it) => it?.[1] ?? []));
}

function headingsOf(text: string): string[] {
	return [...withoutFences(text).matchAll(/^#{1,6} +(.+?) *$/gm)].map(
		([, heading = ""]) => heading,
	);
}

function withoutFences(text: string): string {
	return text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
}

export interface Citation {
	/** As it is named: `docs/live.md`, `live.md`. */
	readonly page: string;
	readonly sections: readonly string[];
}

const list = /(\d+(?:\.\d+)?(?:(?:, | and | to )\d+(?:\.\d+)?)*)/.source;
const citation = new RegExp(
	`(?<![\\w/.-])((?:docs/)?[\\w/-]+\\.md)\`?(?:#[\\w-]+)?\\)?,? sections? ${list}`,
	"g",
);
const docsPage = /(?<![\w/.-])docs\/[\w/-]+\.md/g;

/** Pages of docs/ that a text names, and numbered sections of any page; also where a line of a comment ends in between. */
export function citationsIn(text: string): Citation[] {
	const flat = text.replace(/\s*\n\s*(?:\*(?!\/)|\/\/|#|>)?\s*/g, " ");
	const sections = [...flat.matchAll(citation)].map(
		([, page = "", numbers = ""]) => ({
			page,
			sections: numbers.split(/, | and | to /),
		}),
	);
	const pages = [...flat.matchAll(docsPage)].map(([page]) => ({
		page,
		sections: [],
	}));
	return [...sections, ...pages];
}

/** @param by the file that cites. */
export function brokenCitation(
	by: string,
	{ page, sections }: Citation,
): string | undefined {
	const file = [page, join(dirname(by), page), join("docs", page)].find((it) =>
		existsSync(it),
	);
	if (file === undefined) return `${by}: there is no page ${page}`;
	const there = sectionsOf(textOf(file));
	const missing = sections.filter((it) => !there.has(it));
	return missing.length === 0
		? undefined
		: `${by}: ${file} has no section ${missing.join(", ")}`;
}

/** Files and folders of the repository that a text names. A pattern or a placeholder (`test/x/*.ts`, `scripts/NAME`) names its folder. */
export function pathsIn(text: string): string[] {
	const found = text.matchAll(
		/(?<![\w/.:-])(?:\.\/)?((?:runtime|drivers|scripts|test)\/(?:(?!NAME)[\w./-])*)(NAME|[*<{])?/g,
	);
	return [...found].map(([, path = "", more]) =>
		more ? dirname(`${path}x`) : path.replace(/[.\-/]+$/, ""),
	);
}

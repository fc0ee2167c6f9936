/**
 * The repository's pages as pages of a web site. They keep their folders, so that links between them stay as they are; a README becomes its folder's index. A
 * link to a file for readers (a configuration, a schema) leads to a copy of it. Code is not part of the site: a link to it leads to where the repository can
 * be read, or is only its text.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";

export interface Site {
	/** Text by path. */
	readonly pages: ReadonlyMap<string, string>;
	/** Files that pages link to, by their path in the repository. */
	readonly files: ReadonlySet<string>;
	readonly sidebar: readonly SidebarGroup[];
}

export interface SidebarGroup {
	readonly text: string;
	readonly items: readonly { readonly text: string; readonly link: string }[];
}

const index = "docs/README.md";
const single = [
	"README.md",
	"CHANGELOG.md",
	"CONTRIBUTING.md",
	"BENCHMARKS.md",
	"packages/client/README.md",
];

/** What readers take with them, not code. */
const isForReaders = (path: string) =>
	/^(config|docs)\/.*\.(toml|json|conf)$|^(LICENSE|NOTICE)$/.test(path);

/** @param source address under which the repository's files can be read. */
export function siteOf(source?: string): Site {
	const sources = [...single, ...markdownUnder("docs")];
	const files = new Set<string>();
	const pages = new Map<string, string>();
	for (const path of sources)
		pages.set(
			pathOnSite(path),
			withLinks(readFileSync(path, "utf8"), path, (target) => {
				if (sources.includes(target)) return pathOnSite(target);
				if (isForReaders(target) && existsSync(target)) {
					files.add(target);
					return `/${target}`;
				}
				return source && `${source.replace(/\/$/, "")}/${target}`;
			}),
		);
	return { pages, files, sidebar: sidebarOf(readFileSync(index, "utf8")) };
}

function markdownUnder(folder: string): string[] {
	return readdirSync(folder, { recursive: true, encoding: "utf8" })
		.filter((it) => it.endsWith(".md"))
		.map((it) => join(folder, it));
}

function pathOnSite(path: string): string {
	return path.replace(/README\.md$/, "index.md");
}

/** @param place where a file of the repository is: a page's path, an address, or undefined for nowhere. */
function withLinks(
	text: string,
	page: string,
	place: (target: string) => string | undefined,
): string {
	// fenced blocks are left alone, and so is code within a line
	return text
		.split(/(^```[\s\S]*?^```$)/m)
		.map((part, at) => (at % 2 === 1 ? part : inProse(part)))
		.join("");

	function inProse(prose: string): string {
		return prose.replace(
			/\[((?:`[^`\n]*`|[^[\]`])*)\]\(([^()\s]+)\)/g,
			(link, label: string, target: string) => {
				if (/^(\w+:|#)/.test(target)) return link;
				const [path = "", heading] = target.split("#");
				const found = place(normalize(join(dirname(page), path)));
				if (found === undefined) return label;
				const to =
					found.startsWith("/") || /^\w+:/.test(found)
						? found
						: relative(dirname(pathOnSite(page)), found);
				return `[${label}](${heading === undefined ? to : `${to}#${heading}`})`;
			},
		);
	}
}

/** The index is sorted by readers: each is a group. */
function sidebarOf(text: string): SidebarGroup[] {
	return text
		.split(/^## /m)
		.slice(1)
		.map((section) => {
			const [title = ""] = section.split("\n");
			const links = section.matchAll(/\[([^\]]+)\]\(([^)]+\.md)\)/g);
			return {
				text: title,
				items: [...links].map(([, label = "", target = ""]) => ({
					text: label.replace(/\.md$/, ""),
					link: `/${pathOnSite(join("docs", target)).replace(/(index)?\.md$/, "")}`,
				})),
			};
		});
}

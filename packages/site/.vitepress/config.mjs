// The documentation as a web site. Its pages are made of the repository's own by scripts/site; nothing is loaded from elsewhere, and a dead link fails the build.
import { readFileSync } from "node:fs";
import { defineConfig } from "vitepress";

// files that are served as they are, beside those that VitePress knows
process.env.VITE_EXTRA_EXTENSIONS = "conf,toml";

const sidebar = JSON.parse(
	readFileSync(new URL("../pages/sidebar.json", import.meta.url), "utf8"),
);

// as GitHub names headings, which is how the pages refer to them
const slugify = (heading) =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
		.replaceAll(" ", "-");

export default defineConfig({
	title: "earshot",
	description: "On-device speech recognition",
	srcDir: "pages",
	outDir: process.env.EARSHOT_SITE_OUT,
	base: process.env.EARSHOT_SITE_BASE ?? "/",
	lastUpdated: false,
	markdown: {
		html: false, // pages have none; a < in a table is a character
		anchor: { slugify },
		toc: { slugify },
	},
	themeConfig: {
		sidebar,
		outline: [2, 3],
		search: { provider: "local" },
	},
});

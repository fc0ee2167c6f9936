/** What axe-core finds wrong with a page, at WCAG 2.2 AA, and whether it fits. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { Test } from "tap";
import { repository } from "../e2e/running-appliance.js";

const axe = readFileSync(
	join(repository, "node_modules/axe-core/axe.min.js"),
	"utf8",
);

const widths = [320, 900, 1600];

const wcag = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
/** Those of them that look at colors. */
const colors = ["color-contrast", "link-in-text-block"];

/** The page is there and has settled. */
export async function accessible(
	t: Test,
	page: Page,
	name: string,
): Promise<void> {
	for (const width of widths) await fits(t, page, name, width);
	t.same(await wrongIn(page, "html", wcag), [], name);
	await buttonsAreReadable(t, page, name);
}

/** The same page in another scheme, which changes nothing but its colors. */
export async function readable(
	t: Test,
	page: Page,
	name: string,
): Promise<void> {
	t.same(await wrongIn(page, "html", colors), [], name);
	await buttonsAreReadable(t, page, name);
}

async function fits(
	t: Test,
	page: Page,
	name: string,
	width: number,
): Promise<void> {
	await page.setViewportSize({ width, height: 900 });
	const { wide, cut } = (await page.evaluate(`({
		wide: document.documentElement.scrollWidth,
		cut: [...document.querySelectorAll(".card *, .tabs *")].filter((it) => {
			const within = it.closest(".card, .tabs").getBoundingClientRect();
			const box = it.getBoundingClientRect();
			const scrolls = it.closest("pre, .log, .table-scroll, .chart, .hidden-text");
			return !scrolls && box.width > 1 && box.right > within.right + 1;
		}).map((it) => it.outerHTML.slice(0, 120)),
	})`)) as { wide: number; cut: string[] };
	t.equal(wide, width, `${name} fits into ${width}`);
	t.same(cut, [], `nothing of ${name} stands out of its card at ${width}`);
}

/** Contrast depends on nothing else. */
const colorsUnderPointer = `(() => {
	const { color, backgroundColor, fontSize, fontWeight, opacity } =
		getComputedStyle(document.querySelector(".button:hover"));
	return [color, backgroundColor, fontSize, fontWeight, opacity].join();
})()`;
const readableColors = new Set<string>();

async function buttonsAreReadable(
	t: Test,
	page: Page,
	name: string,
): Promise<void> {
	for (const kind of [
		".is-main",
		".is-danger",
		":not(.is-main, .is-danger, .skip)",
	]) {
		const button = page.locator(`button.button${kind}:enabled:visible`).first();
		if ((await button.count()) === 0) continue;
		await button.hover();
		const colors = String(await page.evaluate(colorsUnderPointer));
		if (readableColors.has(colors)) continue;
		const pale = await wrongIn(page, ".button:hover", ["color-contrast"]);
		t.same(pale, [], `${name}: a button under the pointer can be read`);
		if (String(pale) === "") readableColors.add(colors);
	}
}

/** @param rules of axe-core, or tags of some. */
async function wrongIn(
	page: Page,
	selector: string,
	rules: readonly string[],
): Promise<unknown> {
	if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
	return page.evaluate(
		`axe.run(${JSON.stringify(selector)}, { runOnly: ${JSON.stringify(rules)} }).then(({ violations }) =>
		violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html.slice(0, 200)).join(" | ")))`,
	);
}

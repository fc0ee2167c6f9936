/** What is around every page: navigation, and what concerns this browser. */
import type { ComponentChildren, ComponentType } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "../parts/icon.js";
import { common } from "../texts/common.js";
import { partTitle } from "./part-title.js";
import { Preferences } from "./preferences.js";
import { hrefTo, place } from "./router.js";
import { session } from "./session.js";

type PageName = "live" | "files" | "words" | "device" | "access" | "api";

interface PageEntry {
	readonly name: PageName;
	readonly icon: IconName;
	/** Loaded when it is first shown. */
	load(): Promise<ComponentType>;
}

export const pages: readonly PageEntry[] = [
	{
		name: "live",
		icon: "microphone",
		load: async () => (await import("../pages/live/live.js")).LivePage,
	},
	{
		name: "files",
		icon: "file",
		load: async () => (await import("../pages/files/files.js")).FilesPage,
	},
	{
		name: "words",
		icon: "words",
		load: async () => (await import("../pages/words/words.js")).WordsPage,
	},
	{
		name: "device",
		icon: "device",
		load: async () => (await import("../pages/device/device.js")).DevicePage,
	},
	{
		name: "access",
		icon: "key",
		load: async () => (await import("../pages/access/access.js")).AccessPage,
	},
	{
		name: "api",
		icon: "code",
		load: async () => (await import("../pages/api/api.js")).ApiPage,
	},
];

/** Begins to load the page that the address names. If it can't be loaded, whoever shows it says so. */
export function loadPage(): void {
	const page = pages.find(({ name }) => name === place.peek()[0]);
	void page?.load().catch(() => {});
}

export function Shell({ children }: { readonly children: ComponentChildren }) {
	const m = common();
	const current = place.value[0] ?? "";
	const main = useRef<HTMLElement>(null);
	const title = pages.some((it) => it.name === current)
		? m[current as PageName]
		: "";
	const fullTitle = [partTitle.value, title, "earshot"]
		.filter((it) => it !== "")
		.join(" · ");
	useEffect(() => {
		document.title = fullTitle;
	}, [fullTitle]);
	useEffect(() => scrollTo(0, 0), [current, title]);
	return (
		<div class="shell">
			<button
				type="button"
				class="button skip"
				onClick={() => main.current?.focus()}
			>
				{m.skip}
			</button>
			<header class="bar">
				<a class="brand" href="#/live">
					<Icon name="earshot" />
					<span class="brand-name">earshot</span>
					<span class="brand-device">{session.value?.device.name}</span>
				</a>
				<Preferences />
			</header>
			<nav class="pages" aria-label={m.pages}>
				{pages.map(({ name, icon }) => (
					<a
						key={name}
						href={hrefTo(name)}
						aria-current={name === current ? "page" : undefined}
					>
						<Icon name={icon} />
						<span>{m[name]}</span>
					</a>
				))}
			</nav>
			<main class="page" ref={main} tabIndex={-1}>
				{children}
			</main>
		</div>
	);
}

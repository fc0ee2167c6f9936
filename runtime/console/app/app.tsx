/** Which page is shown: the first run for whoever is not signed in, else the one that the address names. */
import { effect, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { FirstRun } from "../pages/first-run/first-run.js";
import { Loading, Problem } from "../parts/notice.js";
import { common } from "../texts/common.js";
import { language, languageTags } from "../texts/language.js";
import { forgetFragment, place } from "./router.js";
import { isIn, loadSession, session } from "./session.js";
import { pages, Shell } from "./shell.js";

const askAgainMs = 3000;

effect(() => {
	document.documentElement.lang = languageTags[language.value];
});

// a pairing link, opened by who is signed in already: its code is not needed, and names no page
effect(() => {
	if (isIn.value && place.value[0]?.startsWith("pair=")) forgetFragment();
});

export function App() {
	useEffect(() => {
		const timer = setInterval(() => {
			if (!session.value) void loadSession().catch(() => {});
		}, askAgainMs);
		return () => clearInterval(timer);
	}, []);
	if (!session.value) return <Waiting />;
	if (!isIn.value) return <FirstRun />;
	return (
		<Shell>
			<Page name={place.value[0] ?? ""} />
		</Shell>
	);
}

/** What takes longer than a moment is said. */
function Waiting() {
	const late = useSignal(false);
	useEffect(() => {
		const timer = setTimeout(() => {
			late.value = true;
		}, 1500);
		return () => clearTimeout(timer);
	}, []);
	return late.value ? (
		<main class="lone">
			<Loading>{common().unreachable}</Loading>
		</main>
	) : null;
}

function Page({ name }: { readonly name: string }) {
	const loaded = useSignal<Loaded | undefined>(undefined);
	useSignalEffect(() => {
		const wanted = pages.find((it) => it.name === place.value[0]);
		if (!wanted) return;
		const show = (now: Omit<Loaded, "name">) => {
			// one that comes late must not take the place of the one asked for since
			if (place.peek()[0] === wanted.name)
				loaded.value = { name: wanted.name, ...now };
		};
		wanted.load().then(
			(Page) => show({ Page }),
			() => show({}),
		);
	});
	if (!pages.some((it) => it.name === name)) return <NotFound />;
	if (loaded.value?.name !== name) return null;
	const { Page } = loaded.value;
	return Page ? <Page /> : <NotLoaded />;
}

interface Loaded {
	readonly name: string;
	/** Undefined if it could not be loaded. */
	readonly Page?: ComponentType;
}

/** Its file may have another name since an update of the device: the whole document is loaded anew. */
function NotLoaded() {
	return (
		<Problem again={() => location.reload()}>{common().notLoaded}</Problem>
	);
}

function NotFound() {
	const m = common();
	return (
		<div class="empty">
			<h1>{m.notFound}</h1>
			<a class="button" href="#/live">
				{m.toLive}
			</a>
		</div>
	);
}

/** Which page is shown: the first run for whoever is not signed in, else the one that the address names. */
import { effect, useSignal, useSignalEffect } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { FirstRun } from "../pages/first-run/first-run.js";
import { Loading } from "../parts/notice.js";
import { common } from "../texts/common.js";
import { language, languageTags } from "../texts/language.js";
import { place } from "./router.js";
import { isIn, loadSession, session } from "./session.js";
import { pages, Shell } from "./shell.js";

const askAgainMs = 3000;

effect(() => {
	document.documentElement.lang = languageTags[language.value];
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
	const loaded = useSignal<{ name: string; Page: ComponentType } | undefined>(
		undefined,
	);
	const known = pages.find((it) => it.name === name);
	useSignalEffect(() => {
		const wanted = pages.find((it) => it.name === place.value[0]);
		if (!wanted) return;
		void wanted.load().then((Page) => {
			loaded.value = { name: wanted.name, Page };
		});
	});
	if (!known) return <NotFound />;
	if (loaded.value?.name !== name) return null;
	const { Page } = loaded.value;
	return <Page />;
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

/** The lists of one kind. */
import { useSignal } from "@preact/signals";
import type { DescribedList } from "../../../api/word-lists/schemas.js";
import type { DescribedUse } from "../../../api/word-lists/uses.js";
import { goTo, hrefTo } from "../../app/router.js";
import { Icon } from "../../parts/icon.js";
import { useLoaded } from "../../parts/loaded.js";
import { Empty, Loading, Problem } from "../../parts/notice.js";
import { languageName } from "../../parts/options-texts.js";
import { storedLists } from "../../parts/stored-lists.js";
import { Tabs } from "../../parts/tabs.js";
import { common } from "../../texts/common.js";
import { localTime } from "../../texts/texts.js";
import { hasDraft } from "./drafts.js";
import { NewList } from "./new-list.js";
import { type ListKind, wordsTexts } from "./texts.js";
import { loadUses, usedBy, useOf } from "./uses.js";

export function Lists({ kind }: { readonly kind: ListKind }) {
	const m = wordsTexts();
	const making = useSignal(false);
	return (
		<>
			<header class="page-head">
				<h1>{m.title}</h1>
				<button
					type="button"
					class="button is-main"
					onClick={() => {
						making.value = true;
					}}
				>
					<Icon name="plus" />
					{m.newList}
				</button>
			</header>
			<div class="stack">
				<Tabs
					label={m.kinds}
					tabs={{
						hotwords: m.hotwords,
						"correction-words": m["correction-words"],
						"forbidden-words": m["forbidden-words"],
					}}
					chosen={kind}
					onChoose={(it) => goTo("words", it)}
				/>
				<p>{m[`about-${kind}`]}</p>
				<StoredLists kind={kind} />
			</div>
			{making.value && (
				<NewList
					kind={kind}
					onClose={() => {
						making.value = false;
					}}
				/>
			)}
		</>
	);
}

function StoredLists({ kind }: { readonly kind: ListKind }) {
	const m = wordsTexts();
	const uses = useSignal<readonly DescribedUse[]>([]);
	const lists = useLoaded(() => {
		void loadUses().then(
			(loaded) => {
				uses.value = loaded;
			},
			() => {}, // the lists are shown without
		);
		return storedLists(kind);
	}, kind);
	return (
		<>
			{lists.wrong && (
				<Problem again={() => void lists.reload()}>{lists.wrong}</Problem>
			)}
			{!lists.value && !lists.wrong && <Loading>{common().loading}</Loading>}
			{lists.value?.length === 0 && (
				<div class="card">
					<Empty icon="words" title={m.emptyTitle}>
						<p>{m.empty}</p>
					</Empty>
				</div>
			)}
			<ul class="cards-list">
				{lists.value?.map((it) => (
					<ListCard
						key={it.id}
						kind={kind}
						list={it}
						use={usedBy(useOf(uses.value, kind, it.id))}
					/>
				))}
			</ul>
		</>
	);
}

function ListCard({
	kind,
	list: { id, name, lang_type, update_time, status, amount },
	use,
}: {
	readonly kind: ListKind;
	readonly list: DescribedList;
	/** What uses it; empty: nothing. */
	readonly use: string;
}) {
	const m = wordsTexts();
	return (
		<li class="card is-tight row is-apart">
			<div class="grow">
				<a href={hrefTo("words", kind, id)}>
					<bdi>{name || id}</bdi>
				</a>
				<br />
				<small>
					{languageName(lang_type)} · {localTime(update_time)}
					{name && ` · ${id}`}
				</small>
				{use && (
					<>
						<br />
						<small>{use}</small>
					</>
				)}
			</div>
			{hasDraft(kind, id) && <span class="badge">{m.unsaved}</span>}
			{status === 1 && <span class="badge is-busy">{m.inUse}</span>}
			<span class="badge number">{m.entries(amount)}</span>
		</li>
	);
}

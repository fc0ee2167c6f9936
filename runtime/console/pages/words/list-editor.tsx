/** One list: its entries in a table, the device's complaints about them, and what it changes in a clip. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import type { WholeList } from "../../../api/word-lists/schemas.js";
import { goTo, hrefTo } from "../../app/router.js";
import { ConfirmDialog } from "../../parts/confirm-dialog.js";
import { droppedText, reasonText } from "../../parts/dropped-entries.js";
import { Icon } from "../../parts/icon.js";
import { Loading, Problem } from "../../parts/notice.js";
import { needsReading } from "../../parts/options-texts.js";
import { common } from "../../texts/common.js";
import { EditedList } from "./edited-list.js";
import { Entries } from "./entries.js";
import { EntryActions } from "./entry-actions.js";
import { type ListKind, wordsTexts } from "./texts.js";
import { TryIt } from "./try-it.js";
import { usedBy, useOf } from "./uses.js";

export function ListEditor({
	kind,
	id,
}: {
	readonly kind: ListKind;
	readonly id: string;
}) {
	const list = useMemo(() => new EditedList(kind, id), [kind, id]);
	const removing = useSignal(false);
	const load = () => {
		void list.load();
		void list.loadUses();
	};
	useEffect(load, [list]);
	const stored = list.stored.value;
	const wrong = list.wrong.value;
	return (
		<>
			<Head list={list} />
			{/* what could not be saved is sent by "Save" once more */}
			{wrong && <Problem again={stored ? undefined : load}>{wrong}</Problem>}
			{!stored && !wrong && <Loading>{common().loading}</Loading>}
			{stored && (
				<div class="columns">
					<EntriesCard
						list={list}
						stored={stored}
						onRemove={() => {
							void list.loadUses();
							removing.value = true;
						}}
					/>
					<TryIt
						kind={kind}
						id={id}
						language={stored.lang_type}
						words={stored.words}
						isSaved={list.state.value !== "unsaved"}
					/>
				</div>
			)}
			{removing.value && (
				<Removal
					list={list}
					onClose={() => {
						removing.value = false;
					}}
				/>
			)}
		</>
	);
}

/** Its name, and whether it is saved. */
function Head({ list }: { readonly list: EditedList }) {
	const m = wordsTexts();
	const state = list.state.value;
	return (
		<header class="page-head">
			<div class="row grow">
				<a
					class="icon-button"
					href={hrefTo("words", list.kind)}
					aria-label={m.back}
					title={m.back}
				>
					<Icon name="back" />
				</a>
				<h1 class="file-name grow">
					<bdi>{nameOf(list)}</bdi>
				</h1>
			</div>
			<div class="row">
				<span class="small" role="status">
					{state && m[state]}
				</span>
				<button
					type="button"
					class="button is-main"
					onClick={() => void list.save()}
					disabled={state !== "unsaved"}
				>
					{m.save}
				</button>
			</div>
		</header>
	);
}

function EntriesCard({
	list,
	stored: { lang_type: language },
	onRemove,
}: {
	readonly list: EditedList;
	readonly stored: WholeList;
	readonly onRemove: () => void;
}) {
	const m = wordsTexts();
	const dropped = list.dropped.value;
	const use = usersOf(list);
	return (
		<section class="card is-tight stack">
			<EntryActions
				kind={list.kind}
				id={list.id}
				onAdd={(added) => list.add(added)}
			/>
			{list.kind === "hotwords" && needsReading(language) && (
				<p class="small">{m.withReading}</p>
			)}
			{dropped.length > 0 && <Problem>{droppedText(dropped)}</Problem>}
			<Entries
				language={language}
				entries={list.entries.value}
				refused={complaints(list)}
				onChange={(entries) => list.change(entries)}
			/>
			<div class="stack-small">
				{use !== undefined && <p class="small">{use || m.notUsed}</p>}
				<button type="button" class="button is-danger" onClick={onRemove}>
					{m.removeList}
				</button>
			</div>
		</section>
	);
}

function Removal({
	list,
	onClose,
}: {
	readonly list: EditedList;
	readonly onClose: () => void;
}) {
	const m = wordsTexts();
	const use = usersOf(list);
	return (
		<ConfirmDialog
			title={m.removeTitle}
			text={m.removeText(nameOf(list))}
			note={use && `${use} ${m.removeUsed}`}
			action={common().remove}
			act={async () => {
				await list.remove();
				goTo("words", list.kind);
			}}
			onClose={onClose}
		/>
	);
}

function nameOf({ stored, id }: EditedList): string {
	return stored.value?.name || id;
}

/** @returns undefined while it is not known; "" if nothing uses it. */
function usersOf({ uses, kind, id }: EditedList): string | undefined {
	return uses.value && usedBy(useOf(uses.value, kind, id));
}

/** Why the device did not take an entry, in the language of now. */
function complaints({
	refused,
	dropped,
}: EditedList): ReadonlyMap<string, string> {
	const { leftOut } = wordsTexts();
	const whyOf = new Map(
		dropped.value.flatMap(({ reason, entries }) =>
			entries.map((it) => [it, reasonText(reason)] as const),
		),
	);
	return new Map(refused.value.map((it) => [it, whyOf.get(it) ?? leftOut]));
}

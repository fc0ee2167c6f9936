/** From a correction to a word list in two clicks. */
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import type { DescribedList } from "../../../api/word-lists/schemas.js";
import { Dialog } from "../../parts/dialog.js";
import { Icon } from "../../parts/icon.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { needsReading, tagOf } from "../../parts/options-texts.js";
import { languageInUse } from "../../parts/recognition-options.js";
import { storedLists } from "../../parts/stored-lists.js";
import { common } from "../../texts/common.js";
import { addEntry } from "./add-entry.js";
import { EntryFields, readingOf, usualCategory } from "./entry-fields.js";
import { filesTexts } from "./texts.js";
import { replaced } from "./word-pieces.js";

export function AddWords({
	recognized,
	corrected,
	language: given,
	onClose,
}: {
	readonly recognized: string;
	readonly corrected: string;
	readonly language: string;
	readonly onClose: () => void;
}) {
	const m = filesTexts();
	const language = given || languageInUse();
	const found = replaced(recognized, corrected);
	const wrong = useSignal(found.wrong);
	const right = useSignal(found.right);
	const reading = useSignal(readingOf(found.right));
	const category = useSignal(usualCategory);
	const hasReading = needsReading(language);
	const lang = tagOf(language);
	const columns = [right, ...(hasReading ? [reading, category] : [])];
	return (
		<Dialog title={m.addWordsTitle} onClose={onClose}>
			<EntryFields
				lang={lang}
				columns={[
					{ label: m.wrongForm, value: wrong },
					{ label: m.rightForm, value: right },
				]}
			/>
			<Choices
				title={m.addAsHotword}
				kind="hotwords"
				columns={columns.map((it) => it.value.trim())}
				name={right.value}
				language={language}
			>
				{hasReading && (
					<EntryFields
						lang={lang}
						columns={[
							{ label: m.reading, value: reading },
							{ label: m.category, value: category },
						]}
					/>
				)}
			</Choices>
			<Choices
				title={m.addAsCorrection}
				kind="correction-words"
				columns={[wrong.value.trim(), right.value.trim()]}
				name={right.value}
				language={language}
			/>
		</Dialog>
	);
}

function Choices({
	title,
	kind,
	columns,
	name,
	language,
	children,
}: {
	readonly title: string;
	readonly kind: "hotwords" | "correction-words";
	/** Of the entry. */
	readonly columns: readonly string[];
	/** Of a new list. */
	readonly name: string;
	readonly language: string;
	readonly children?: ComponentChildren;
}) {
	const m = filesTexts();
	const entry = columns.join(",");
	const isWhole = !columns.includes("");
	const lists = useSignal<readonly DescribedList[] | undefined>(undefined);
	const outcome = useSignal<"" | "added" | { readonly wrong: string }>("");
	useEffect(() => {
		storedLists(kind).then(
			(all) => {
				lists.value = all.filter((it) => it.lang_type === language);
			},
			(thrown: unknown) => {
				outcome.value = { wrong: reasonOf(thrown) };
			},
		);
	}, []);
	const add = async (list: DescribedList | undefined) => {
		try {
			const refused = await addEntry(kind, entry, list?.id, {
				lang_type: language,
				name,
			});
			outcome.value = refused ? { wrong: refused } : "added";
		} catch (thrown) {
			outcome.value = { wrong: reasonOf(thrown) };
		}
	};
	return (
		<section class="stack-small">
			<h3>{title}</h3>
			{outcome.value !== "added" && children}
			{isWhole ? (
				<p>
					<code>{entry}</code>
				</p>
			) : (
				<p class="small">{m.fieldsMissing}</p>
			)}
			{!lists.value && !outcome.value && <Loading>{common().loading}</Loading>}
			{typeof outcome.value === "object" && (
				<Problem>{outcome.value.wrong}</Problem>
			)}
			{outcome.value === "added" ? (
				<p class="badge is-good" role="status">
					<Icon name="check" />
					{m.added}
				</p>
			) : (
				lists.value && (
					<div class="row">
						{lists.value.map((it) => (
							<button
								key={it.id}
								type="button"
								class="button"
								disabled={!isWhole}
								onClick={() => void add(it)}
							>
								{it.name || it.id}
							</button>
						))}
						<button
							type="button"
							class="button"
							disabled={!isWhole}
							onClick={() => void add(undefined)}
						>
							<Icon name="plus" />
							{m.newList}
						</button>
					</div>
				)
			)}
		</section>
	);
}

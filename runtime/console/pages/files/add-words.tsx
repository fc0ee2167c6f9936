/** From a correction to a word list in two clicks. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { data } from "../../app/api.js";
import { Dialog } from "../../parts/dialog.js";
import { Icon } from "../../parts/icon.js";
import { Loading, Problem, reasonOf } from "../../parts/notice.js";
import { languageInUse } from "../../parts/recognition-options.js";
import { common } from "../../texts/common.js";
import { filesTexts } from "./texts.js";
import { replaced } from "./word-pieces.js";

interface List {
	readonly id: string;
	readonly name: string;
	readonly lang_type: string;
}

export function AddWords({
	heard,
	corrected,
	language,
	onClose,
}: {
	readonly heard: string;
	readonly corrected: string;
	readonly language: string;
	readonly onClose: () => void;
}) {
	const m = filesTexts();
	const { wrong, right } = replaced(heard, corrected);
	return (
		<Dialog title={m.addWordsTitle} onClose={onClose}>
			<Choices
				title={m.addAsHotword}
				kind="hotwords"
				entry={right}
				language={language || languageInUse()}
			/>
			{wrong && right && (
				<Choices
					title={m.addAsCorrection(wrong)}
					kind="correction-words"
					entry={`${wrong},${right}`}
					language={language || languageInUse()}
				/>
			)}
		</Dialog>
	);
}

function Choices({
	title,
	kind,
	entry,
	language,
}: {
	readonly title: string;
	readonly kind: "hotwords" | "correction-words";
	readonly entry: string;
	readonly language: string;
}) {
	const m = filesTexts();
	const lists = useSignal<readonly List[] | undefined>(undefined);
	const said = useSignal<"" | "added" | { readonly wrong: string }>("");
	useEffect(() => {
		data<{ readonly list: readonly List[] }>(`v1/${kind}`, {
			query: { page_size: "100" },
		}).then(
			({ list }) => {
				lists.value = list.filter((it) => it.lang_type === language);
			},
			(thrown: unknown) => {
				said.value = { wrong: reasonOf(thrown) };
			},
		);
	}, []);
	const add = async (list: List | undefined) => {
		try {
			const words = [entry];
			if (list)
				await data(`v1/${kind}/${list.id}`, {
					method: "POST",
					json: { words },
				});
			else
				await data(`v1/${kind}`, {
					method: "POST",
					json: { lang_type: language, name: entry, words },
				});
			said.value = "added";
		} catch (thrown) {
			said.value = { wrong: reasonOf(thrown) };
		}
	};
	return (
		<section class="stack-small">
			<h3>{title}</h3>
			<p>
				<code>{entry}</code>
			</p>
			{!lists.value && !said.value && <Loading>{common().loading}</Loading>}
			{typeof said.value === "object" && <Problem>{said.value.wrong}</Problem>}
			{said.value === "added" ? (
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
								onClick={() => void add(it)}
							>
								{it.name || it.id}
							</button>
						))}
						<button
							type="button"
							class="button"
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

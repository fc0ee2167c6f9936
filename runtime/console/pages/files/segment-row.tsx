/** One segment: words that play from where they were said, or the field in which they are corrected. */
import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { ResultSegment } from "../../../tasks/result/result.js";
import { may } from "../../app/session.js";
import { Icon } from "../../parts/icon.js";
import { tagOf } from "../../parts/options-texts.js";
import { clockTime } from "../../texts/texts.js";
import { AddWords } from "./add-words.js";
import type { Player } from "./player.js";
import { SpokenWords } from "./spoken-words.js";
import { filesTexts } from "./texts.js";
import { secondsOf, type Transcript } from "./transcript.js";

interface RowProps {
	readonly segment: ResultSegment;
	/** Its speaker was not the one before. */
	readonly begins: boolean;
	readonly transcript: Transcript;
	readonly player: Player;
	readonly lang: string;
	readonly search: string;
}

export function SegmentRow({
	segment,
	begins,
	transcript,
	player,
	lang,
	search,
}: RowProps) {
	const m = filesTexts();
	const editing = useSignal(false);
	const editButton = useRef<HTMLButtonElement>(null);
	const adding = useSignal(false);
	const { seg_num, transcript: text, original, cluster_id, speaker } = segment;
	const begin = secondsOf(segment.begin);
	const end = secondsOf(segment.end);
	const isCurrent = useComputed(
		() => player.seconds.value >= begin && player.seconds.value < end,
	);
	const isEdited = original !== undefined && original !== text;
	return (
		<div class={isCurrent.value ? "segment is-current" : "segment"}>
			<button
				type="button"
				class="segment-time number"
				onClick={() => player.playFrom(begin)}
				aria-label={`${m.play} ${clockTime(begin)}`}
			>
				{clockTime(begin)}
			</button>
			<div class="segment-text">
				{begins && cluster_id !== undefined && (
					<h3 class="speaker">
						<bdi>{speaker ?? m.speaker(cluster_id)}</bdi>
					</h3>
				)}
				{editing.value ? (
					<Editor
						text={text}
						lang={lang}
						label={`${m.text} ${clockTime(begin)}`}
						onType={(it) => transcript.type(seg_num, it)}
						onEnd={() => {
							editing.value = false;
							// the field goes: whoever uses keys stays at this segment
							editButton.current?.focus();
						}}
					/>
				) : (
					<p lang={lang} dir="auto">
						<SpokenWords
							segment={segment}
							player={player}
							isCurrent={isCurrent.value}
							search={search}
						/>
					</p>
				)}
				{isEdited && (
					<Correction
						original={original}
						lang={lang}
						onRestore={() => transcript.restore(segment)}
						onAddWords={() => {
							adding.value = true;
						}}
					/>
				)}
			</div>
			<button
				ref={editButton}
				type="button"
				class="icon-button no-print"
				aria-label={`${m.edit}: ${clockTime(begin)}`}
				title={m.edit}
				aria-pressed={editing.value}
				onClick={() => {
					editing.value = !editing.value;
				}}
			>
				<Icon name={editing.value ? "check" : "edit"} />
			</button>
			{adding.value && original !== undefined && (
				<AddWords
					recognized={original}
					corrected={text}
					language={segment.lang_type ?? ""}
					onClose={() => {
						adding.value = false;
					}}
				/>
			)}
		</div>
	);
}

/** What was recognized before it was corrected, and what can be done about it. */
function Correction({
	original,
	lang,
	onRestore,
	onAddWords,
}: {
	readonly original: string;
	readonly lang: string;
	readonly onRestore: () => void;
	readonly onAddWords: () => void;
}) {
	const m = filesTexts();
	return (
		<p class="small row no-print">
			<span class="badge is-busy">{m.edited}</span>
			<span class="grow" lang={lang}>
				{m.recognized}{" "}
				<del>
					<bdi>{original}</bdi>
				</del>
			</span>
			<button type="button" class="button is-small" onClick={onRestore}>
				{m.restore}
			</button>
			{may("hotwords") && (
				<button type="button" class="button is-small" onClick={onAddWords}>
					{m.addWords}
				</button>
			)}
		</p>
	);
}

function Editor({
	text,
	lang,
	label,
	onType,
	onEnd,
}: {
	readonly text: string;
	readonly lang: string;
	readonly label: string;
	readonly onType: (text: string) => void;
	readonly onEnd: () => void;
}) {
	const field = useRef<HTMLTextAreaElement>(null);
	useEffect(() => field.current?.focus(), []);
	return (
		<textarea
			ref={field}
			rows={Math.max(2, Math.ceil(text.length / 70))}
			value={text}
			lang={tagOf(lang)}
			dir="auto"
			aria-label={label}
			onInput={(event) => onType(event.currentTarget.value)}
			onKeyDown={(event) => {
				// it also takes back what an input method has not written yet
				if (event.key === "Escape" && !event.isComposing) onEnd();
			}}
		/>
	);
}

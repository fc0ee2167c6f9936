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
import { filesTexts } from "./texts.js";
import { secondsOf, type Transcript } from "./transcript.js";
import { type Piece, piecesOf } from "./word-pieces.js";

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
					<h3 class="speaker">{speaker ?? m.speaker(cluster_id)}</h3>
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
					<p lang={lang}>
						<Words
							segment={segment}
							player={player}
							isCurrent={isCurrent.value}
							search={search}
						/>
					</p>
				)}
				{isEdited && (
					<p class="small row no-print">
						<span class="badge is-busy">{m.edited}</span>
						<span class="grow" lang={lang}>
							{m.recognized} <del>{original}</del>
						</span>
						<button
							type="button"
							class="button is-small"
							onClick={() => transcript.restore(segment)}
						>
							{m.restore}
						</button>
						{may("hotwords") && (
							<button
								type="button"
								class="button is-small"
								onClick={() => {
									adding.value = true;
								}}
							>
								{m.addWords}
							</button>
						)}
					</p>
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

function Words({
	segment,
	player,
	isCurrent,
	search,
}: {
	readonly segment: ResultSegment;
	readonly player: Player;
	readonly isCurrent: boolean;
	readonly search: string;
}) {
	const ms = isCurrent ? player.seconds.value * 1000 : -1;
	return (
		<>
			{piecesOf(segment).map((piece, i) =>
				piece.beginMs === undefined ? (
					piece.text
				) : (
					<span
						key={i}
						role="button"
						// a thousand stops would bury the rest: those of the segment that is heard
						tabIndex={isCurrent ? 0 : -1}
						class={classOf(piece, ms, search)}
						onClick={() => player.playFrom((piece.beginMs ?? 0) / 1000)}
						onKeyDown={(event) => {
							if (event.key === "Enter")
								player.playFrom((piece.beginMs ?? 0) / 1000);
						}}
					>
						{piece.text}
					</span>
				),
			)}
		</>
	);
}

function classOf(
	{ text, beginMs = 0, endMs = 0 }: Piece,
	ms: number,
	search: string,
): string {
	const isFound = search !== "" && text.toLowerCase().includes(search);
	const isCurrent = ms >= beginMs && ms < endMs;
	return `word${isCurrent ? " is-current" : ""}${isFound ? " is-found" : ""}`;
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
			aria-label={label}
			onInput={(event) => onType(event.currentTarget.value)}
			onKeyDown={(event) => {
				// it also takes back what an input method has not written yet
				if (event.key === "Escape" && !event.isComposing) onEnd();
			}}
		/>
	);
}

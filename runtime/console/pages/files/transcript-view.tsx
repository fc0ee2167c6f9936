/** A transcript beside its audio. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { apiUrl } from "../../app/api.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Note, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { clockTime, number } from "../../texts/texts.js";
import { Player } from "./player.js";
import { Rows } from "./rows.js";
import { Speakers } from "./speakers.js";
import { filesTexts } from "./texts.js";
import { Transcript } from "./transcript.js";
import { Waveform } from "./waveform.js";

const formats = ["txt", "srt", "vtt", "json"];

export function TranscriptView({ id }: { readonly id: string }) {
	const m = filesTexts();
	const transcript = useMemo(() => new Transcript(id), [id]);
	const player = useMemo(
		() => new Player(apiUrl(`v1/asrfile/tasks/${id}/audio`)),
		[id],
	);
	const search = useSignal("");
	useEffect(() => {
		void transcript.load();
		void transcript.loadPeaks().catch(() => {});
		const onKey = (event: KeyboardEvent) =>
			followKey(event, player, transcript);
		const onLeave = () => void transcript.flush();
		addEventListener("keydown", onKey);
		addEventListener("pagehide", onLeave);
		return () => {
			removeEventListener("keydown", onKey);
			removeEventListener("pagehide", onLeave);
			onLeave();
			player.close();
		};
	}, [id]);
	const segments = transcript.segments.value;
	return (
		<>
			<header class="page-head">
				<div class="row grow">
					<a
						class="icon-button no-print"
						href="#/files"
						aria-label={m.back}
						title={m.back}
					>
						<Icon name="back" />
					</a>
					<h1 class="file-name grow">{transcript.name.value}</h1>
				</div>
				<Saving transcript={transcript} />
			</header>
			{transcript.wrong.value && <Problem>{transcript.wrong.value}</Problem>}
			{!segments && !transcript.wrong.value && (
				<Loading>{common().loading}</Loading>
			)}
			{segments && (
				<div class="stack">
					{transcript.notes.value && <Note>{transcript.notes.value}</Note>}
					<div class="player card is-tight stack-small no-print">
						{player.wrong.value ? (
							<Note>
								{transcript.peaks.value ? m.notPlayable : m.audioGone}
							</Note>
						) : (
							<>
								<Waveform player={player} transcript={transcript} />
								<Controls player={player} />
							</>
						)}
						<Tools
							transcript={transcript}
							search={search}
							count={segments.length}
						/>
					</div>
					<Speakers transcript={transcript} />
					{segments.length === 0 ? (
						<Empty icon="file" title={m.noSpeech}>
							{null}
						</Empty>
					) : (
						<Rows
							segments={segments}
							transcript={transcript}
							player={player}
							search={search.value.toLowerCase()}
						/>
					)}
				</div>
			)}
		</>
	);
}

function Saving({ transcript }: { readonly transcript: Transcript }) {
	const m = filesTexts();
	const state = transcript.saving.value;
	if (typeof state === "object")
		return (
			<Problem again={() => void transcript.flush()}>{state.wrong}</Problem>
		);
	return (
		<span class="small" role="status">
			{state === "saving" ? m.saving : state === "saved" ? m.saved : ""}
		</span>
	);
}

function Controls({ player }: { readonly player: Player }) {
	const m = filesTexts();
	return (
		<div class="row">
			<button
				type="button"
				class="button"
				aria-label={`−5 s: ${m.backwards}`}
				title={m.backwards}
				onClick={() => player.step(-1)}
			>
				−5 s
			</button>
			<button
				type="button"
				class="button is-main"
				onClick={() => player.toggle()}
			>
				<Icon name={player.playing.value ? "pause" : "play"} />
				{player.playing.value ? m.pause : m.play}
			</button>
			<button
				type="button"
				class="button"
				aria-label={`+5 s: ${m.forwards}`}
				title={m.forwards}
				onClick={() => player.step(1)}
			>
				+5 s
			</button>
			<span class="number grow play-time">
				{clockTime(player.seconds.value)} / {clockTime(player.length.value)}
			</span>
			<select
				class="speed"
				aria-label={m.speed}
				value={player.speed.value}
				onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
			>
				{player.speeds.map((it) => (
					<option key={it} value={it}>
						{number(it, 2)} ×
					</option>
				))}
			</select>
		</div>
	);
}

function Tools({
	transcript,
	search,
	count,
}: {
	readonly transcript: Transcript;
	readonly search: { value: string };
	readonly count: number;
}) {
	const m = filesTexts();
	return (
		<>
			<div class="row">
				<input
					class="search"
					type="search"
					placeholder={m.search}
					aria-label={m.search}
					value={search.value}
					onInput={(event) => {
						search.value = event.currentTarget.value;
					}}
				/>
				<button
					type="button"
					class="icon-button"
					aria-label={m.undo}
					title={m.undo}
					disabled={transcript.done.value.length === 0}
					onClick={() => transcript.undo()}
				>
					<Icon name="undo" />
				</button>
				<button
					type="button"
					class="icon-button"
					aria-label={m.redo}
					title={m.redo}
					disabled={transcript.undone.value.length === 0}
					onClick={() => transcript.redo()}
				>
					<Icon name="redo" />
				</button>
				<span class="grow" />
				{count > 0 && <Export id={transcript.id} />}
			</div>
			<small>{m.keys}</small>
		</>
	);
}

function Export({ id }: { readonly id: string }) {
	const m = filesTexts();
	return (
		<span class="row" role="group" aria-label={m.export}>
			<Icon name="download" />
			{formats.map((format) => (
				<a
					key={format}
					class="button is-small"
					download={`${id}.${format}`}
					href={apiUrl("v1/asrfile/result", { task_id: id, format })}
				>
					{format}
				</a>
			))}
			<button
				type="button"
				class="icon-button"
				aria-label={m.print}
				title={m.print}
				onClick={() => print()}
			>
				<Icon name="print" />
			</button>
		</span>
	);
}

/** Where nothing is typed, keys drive the player. */
function followKey(
	event: KeyboardEvent,
	player: Player,
	transcript: Transcript,
): void {
	const target = event.target as HTMLElement;
	const isTyped = target.matches("input, textarea, select, [contenteditable]");
	if (isTyped || event.altKey || document.querySelector("dialog[open]")) return;
	if (event.ctrlKey || event.metaKey) {
		if (event.key === "z") transcript.undo();
		if (event.key === "y" || event.key === "Z") transcript.redo();
		return;
	}
	const acts: Readonly<Record<string, () => void>> = {
		ArrowLeft: () => player.step(-1),
		ArrowRight: () => player.step(1),
		"[": () => player.changeSpeed(-1),
		"]": () => player.changeSpeed(1),
		...(!target.matches("button, a, summary") && {
			" ": () => player.toggle(),
		}),
	};
	const act = acts[event.key];
	if (!act) return;
	event.preventDefault();
	act();
}

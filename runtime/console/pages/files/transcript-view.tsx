/** A transcript beside its audio. */
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { ResultSegment } from "../../../tasks/result/result.js";
import { partTitle } from "../../app/part-title.js";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Note, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { placesOf } from "./found-pieces.js";
import { useOpenTranscript } from "./open-transcript.js";
import type { Player } from "./player.js";
import { Controls } from "./player-controls.js";
import { Rows } from "./rows.js";
import { Speakers } from "./speakers.js";
import { filesTexts } from "./texts.js";
import type { Transcript } from "./transcript.js";
import { Tools } from "./transcript-tools.js";
import { Waveform } from "./waveform.js";

export function TranscriptView({ id }: { readonly id: string }) {
	const m = filesTexts();
	const { transcript, player, load, loadPeaks } = useOpenTranscript(id);
	const search = useSignal("");
	const segments = transcript.segments.value;
	const wanted = search.value.trim().toLowerCase();
	return (
		<>
			<Head transcript={transcript} />
			{transcript.wrong.value && (
				<Problem again={() => void load()}>{transcript.wrong.value}</Problem>
			)}
			{!segments && !transcript.wrong.value && (
				<Loading>{common().loading}</Loading>
			)}
			{segments && (
				<div class="stack">
					{transcript.notes.value && <Note>{transcript.notes.value}</Note>}
					<div class="player stack-small no-print">
						<div class="playback stack-small">
							<Playback
								player={player}
								transcript={transcript}
								loadPeaks={loadPeaks}
							/>
						</div>
						<Tools
							transcript={transcript}
							search={search}
							found={wanted ? countOf(wanted, segments) : undefined}
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
							search={wanted}
						/>
					)}
				</div>
			)}
		</>
	);
}

function countOf(wanted: string, segments: readonly ResultSegment[]): number {
	return segments.reduce(
		(count, it) => count + placesOf(wanted, it.transcript).length,
		0,
	);
}

/** The name of the file, and whether its corrections are saved. */
function Head({ transcript }: { readonly transcript: Transcript }) {
	const m = filesTexts();
	const { value: name } = transcript.name;
	useEffect(() => {
		partTitle.value = name;
		return () => {
			partTitle.value = "";
		};
	}, [name]);
	return (
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
				<h1 class="file-name grow">
					<bdi>{name}</bdi>
				</h1>
			</div>
			<Saving transcript={transcript} />
		</header>
	);
}

function Saving({ transcript }: { readonly transcript: Transcript }) {
	const m = filesTexts();
	const state = transcript.edits.saving.value;
	if (typeof state === "object")
		return (
			<Problem again={() => void transcript.edits.flush()}>
				{state.wrong}
			</Problem>
		);
	return (
		<span class="small" role="status">
			{state === "saving" ? m.saving : state === "saved" ? m.saved : ""}
		</span>
	);
}

/** What can be done with the audio, or why nothing can. */
function Playback({
	player,
	transcript,
	loadPeaks,
}: {
	readonly player: Player;
	readonly transcript: Transcript;
	readonly loadPeaks: () => Promise<void>;
}) {
	const m = filesTexts();
	const trouble = player.trouble.value;
	if (!trouble)
		return (
			<>
				<Waveform player={player} transcript={transcript} />
				<Controls player={player} />
			</>
		);
	const again = () => {
		player.again();
		if (!transcript.peaks.value) void loadPeaks();
	};
	if (typeof trouble === "object")
		return <Problem again={again}>{trouble.wrong}</Problem>;
	return <Note>{trouble === "gone" ? m.audioGone : m.notPlayable}</Note>;
}

/** A transcript beside its audio. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import { Empty, Loading, Note, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { Player, type AudioTrouble as Trouble } from "./player.js";
import { Controls, followKey } from "./player-controls.js";
import { Rows } from "./rows.js";
import { Speakers } from "./speakers.js";
import { filesTexts } from "./texts.js";
import { peaksPerSecond, Transcript } from "./transcript.js";
import { Tools } from "./transcript-tools.js";
import { Waveform } from "./waveform.js";

export function TranscriptView({ id }: { readonly id: string }) {
	const m = filesTexts();
	const transcript = useMemo(() => new Transcript(id), [id]);
	const player = useMemo(
		() => new Player(`v1/asrfile/tasks/${id}/audio`),
		[id],
	);
	const search = useSignal("");
	const loadPeaks = async () => {
		try {
			await transcript.loadPeaks();
			player.lasts((transcript.peaks.value?.length ?? 0) / peaksPerSecond);
		} catch {} // the player says that the device is away
	};
	const load = async () => {
		await transcript.load();
		await painted();
		player.openSoon();
		void loadPeaks();
	};
	useEffect(() => {
		void load();
		const onKey = (event: KeyboardEvent) =>
			followKey(event, player, transcript);
		const onLeave = () => {
			leaveField();
			void transcript.edits.flush(true);
		};
		addEventListener("keydown", onKey);
		addEventListener("pagehide", onLeave);
		return () => {
			removeEventListener("keydown", onKey);
			removeEventListener("pagehide", onLeave);
			leaveField();
			void transcript.edits.flush();
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
			{transcript.wrong.value && (
				<Problem again={() => void load()}>{transcript.wrong.value}</Problem>
			)}
			{!segments && !transcript.wrong.value && (
				<Loading>{common().loading}</Loading>
			)}
			{segments && (
				<div class="stack">
					{transcript.notes.value && <Note>{transcript.notes.value}</Note>}
					<div class="player card is-tight stack-small no-print">
						{player.trouble.value ? (
							<AudioTrouble
								trouble={player.trouble.value}
								again={() => {
									player.again();
									if (!transcript.peaks.value) void loadPeaks();
								}}
							/>
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

/** Once the browser has painted what is known by now. */
function painted(): Promise<void> {
	return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

function AudioTrouble({
	trouble,
	again,
}: {
	readonly trouble: Trouble;
	readonly again: () => void;
}) {
	const m = filesTexts();
	if (typeof trouble === "object")
		return <Problem again={again}>{trouble.wrong}</Problem>;
	return <Note>{trouble === "gone" ? m.audioGone : m.notPlayable}</Note>;
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

/** A name counts once its field is left, which a page that goes does not wait for. */
function leaveField(): void {
	if (document.activeElement instanceof HTMLElement)
		document.activeElement.blur();
}

/** A transcript and its audio while their page is shown: fetched one after the other, followed by keys, and saved when the page is left. */
import { useEffect, useMemo } from "preact/hooks";
import { Player } from "./player.js";
import { followKey } from "./player-controls.js";
import { peaksPerSecond, Transcript } from "./transcript.js";

export interface OpenTranscript {
	readonly transcript: Transcript;
	readonly player: Player;
	load(): Promise<void>;
	loadPeaks(): Promise<void>;
}

export function useOpenTranscript(id: string): OpenTranscript {
	const transcript = useMemo(() => new Transcript(id), [id]);
	const player = useMemo(
		() => new Player(`v1/asrfile/tasks/${id}/audio`),
		[id],
	);
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
	return { transcript, player, load, loadPeaks };
}

/** Once the browser has painted what is known by now. */
function painted(): Promise<void> {
	return new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
}

/** A name counts once its field is left, which a page that goes does not wait for. */
function leaveField(): void {
	if (document.activeElement instanceof HTMLElement)
		document.activeElement.blur();
}

/**
 * A transcript and its audio while their page is shown: fetched one after the other, again when somebody comes back to them, followed by keys, and saved when
 * the page is left.
 */
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
		const onShown = () => {
			if (!document.hidden && transcript.segments.value)
				void transcript.refresh();
		};
		addEventListener("keydown", onKey);
		document.addEventListener("visibilitychange", onShown);
		addEventListener("pagehide", onLeave);
		return () => {
			removeEventListener("keydown", onKey);
			document.removeEventListener("visibilitychange", onShown);
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

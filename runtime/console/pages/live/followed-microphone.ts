/** What a microphone of the device sends of itself while its card is shown. What it recognizes goes into the text of the page. */
import { type Signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { may } from "../../app/session.js";
import type { DeviceMicrophone } from "../../parts/microphone-parts.js";
import { followMicrophone } from "./microphone-socket.js";
import { showMicrophoneText } from "./microphone-text.js";
import { setPartial } from "./partials.js";

export interface FollowedMicrophone {
	readonly state: Signal<DeviceMicrophone>;
	/** Of each channel. */
	readonly levelsDbfs: Signal<readonly number[]>;
	/** Where the last sentence came from; undefined where it is not known. */
	readonly azimuthDeg: Signal<number | undefined>;
}

export function useFollowedMicrophone(
	given: DeviceMicrophone,
): FollowedMicrophone {
	const state = useSignal(given);
	const levelsDbfs = useSignal<readonly number[]>(given.levels_dbfs);
	const azimuthDeg = useSignal<number | undefined>(undefined);
	useEffect(() => {
		if (!may("asr")) return;
		return followMicrophone(given.id, {
			onMessage: (message, connection) => {
				switch (message.is) {
					case "state":
						state.value = message.microphone;
						return;
					case "level":
						levelsDbfs.value = message.levels_dbfs;
						return;
					case "final":
						azimuthDeg.value = message.azimuth_deg;
						showMicrophoneText(given, message, connection);
						return;
					case "partial":
						showMicrophoneText(given, message, connection);
				}
			},
			onLost: () => setPartial(given.id, undefined),
		});
	}, [given.id]);
	return { state, levelsDbfs, azimuthDeg };
}

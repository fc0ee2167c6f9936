/** What a microphone of the device reports, over a connection that is opened again when it ends: the device restarts, a network goes away for a while. */
import { socketUrl } from "../../app/api.js";
import { checkSession } from "../../app/session.js";
import type { DeviceMicrophone } from "../../parts/microphone-parts.js";

export type MicrophoneMessage =
	| { readonly is: "state"; readonly microphone: DeviceMicrophone }
	| { readonly is: "level"; readonly levels_dbfs: readonly number[] }
	| { readonly is: "partial"; readonly text: string }
	| {
			readonly is: "final";
			readonly text: string;
			/** From 1, since the device started. */
			readonly index: number;
			readonly confidence: number;
			readonly azimuth_deg?: number;
	  };

export interface MicrophoneFollower {
	/** @param connection a number of its own: after a restart of the device sentences count from 1 again. */
	onMessage(message: MicrophoneMessage, connection: number): void;
	/** A sentence that was being said is not completed here. */
	onLost(): void;
}

const pauseMsMin = 1000;
const pauseMsMax = 30_000;

/** On this page, for all microphones. */
let connections = 0;

/** @returns ends it */
export function followMicrophone(
	id: string,
	{ onMessage, onLost }: MicrophoneFollower,
): () => void {
	let socket: WebSocket;
	let timer: ReturnType<typeof setTimeout> | undefined;
	let pauseMs = pauseMsMin;
	let isLeft = false;
	const open = () => {
		const connection = ++connections;
		socket = new WebSocket(
			socketUrl(`v1/microphones/${encodeURIComponent(id)}/ws`),
		);
		socket.onmessage = ({ data }) => {
			pauseMs = pauseMsMin;
			onMessage(JSON.parse(String(data)) as MicrophoneMessage, connection);
		};
		socket.onclose = () => {
			if (isLeft) return;
			onLost();
			void checkSession(); // a browser does not say why it was refused
			timer = setTimeout(open, pauseMs);
			pauseMs = Math.min(2 * pauseMs, pauseMsMax);
		};
	};
	open();
	return () => {
		isLeft = true;
		clearTimeout(timer);
		socket.close();
		onLost();
	};
}

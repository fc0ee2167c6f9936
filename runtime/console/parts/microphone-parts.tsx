/** What Live and Device show of a microphone of the device: its state, the level of each channel, and the button that mutes it. */
import type { ShownMicrophone } from "../../api/device/microphones.js";
import { data } from "../app/api.js";
import { Icon } from "./icon.js";
import { Meter } from "./meter.js";
import { microphoneTexts } from "./microphone-texts.js";

export type DeviceMicrophone = ShownMicrophone;

/** @returns its state afterwards. @throws ApiError */
export function setMicrophone(
	id: string,
	change: { readonly muted?: boolean; readonly talking?: boolean },
): Promise<DeviceMicrophone> {
	return data<DeviceMicrophone>(`v1/microphones/${encodeURIComponent(id)}`, {
		method: "POST",
		json: change,
		keepalive: change.talking === false, // whoever leaves the page has let go
	});
}

export function MicrophonePhase({ phase }: { readonly phase: string }) {
	const phases: Readonly<Record<string, unknown>> = microphoneTexts();
	const known = phases[`phase-${phase}`];
	return (
		<span class={phase === "listening" ? "badge is-good" : "badge"}>
			{typeof known === "string" ? known : phase}
		</span>
	);
}

export function Levels({
	levelsDbfs,
}: {
	readonly levelsDbfs: readonly number[];
}) {
	const m = microphoneTexts();
	return levelsDbfs.map((db, i) => (
		<Meter key={i} peak={10 ** (db / 20)} label={m.channel(i + 1)} />
	));
}

export function MuteButton({
	muted,
	name,
	onMute,
}: {
	readonly muted: boolean;
	/** Of the microphone. */
	readonly name: string;
	readonly onMute: (muted: boolean) => void;
}) {
	const m = microphoneTexts();
	const label = muted ? m.unmute : m.mute;
	return (
		<button
			type="button"
			class="button is-small"
			aria-label={`${label}: ${name}`}
			onClick={() => onMute(!muted)}
		>
			<Icon name={muted ? "microphone" : "mute"} />
			{label}
		</button>
	);
}

/** The microphone of this browser. */
import { useEffect } from "preact/hooks";
import { Icon } from "../../parts/icon.js";
import { Meter } from "../../parts/meter.js";
import { Problem } from "../../parts/notice.js";
import { PlainConnection } from "../../parts/plain-connection.js";
import { ClipSource } from "./clip-source.js";
import { check, endCheck, isChecking } from "./level-check.js";
import {
	deviceId,
	devices,
	level,
	phase,
	speak,
	stop,
	transcribeRecorded,
	trouble,
} from "./live-model.js";
import { liveTexts } from "./texts.js";

export function BrowserSource() {
	const m = liveTexts();
	if (!isSecureContext || !navigator.mediaDevices)
		return (
			<div class="stack">
				<PlainConnection />
				<p>{m.insecure}</p>
				<ClipSource record />
			</div>
		);
	return (
		<div class="card is-tight live-controls">
			<div class="speak">
				<SpeakButton />
				<Meter
					peak={level.value.peak}
					clips={level.value.clips}
					label={m.level}
				/>
				<CheckButton />
			</div>
			<LevelNotice />
			<Trouble />
			{devices.value.length > 1 && (
				<label class="field">
					<span>{m.microphone}</span>
					<select
						value={deviceId.value}
						disabled={phase.value !== "idle"}
						onChange={(event) => {
							deviceId.value = event.currentTarget.value;
							if (isChecking.value) void endCheck().then(check);
						}}
					>
						<option value="">{m.systemChoice}</option>
						{devices.value.map((it) => (
							<option key={it.deviceId} value={it.deviceId}>
								{it.label}
							</option>
						))}
					</select>
				</label>
			)}
		</div>
	);
}

/** One button in every state, so that the keyboard's focus stays on it. */
function SpeakButton() {
	const m = liveTexts();
	const is = phase.value;
	const label = {
		idle: m.speak,
		starting: m.starting,
		speaking: m.stop,
		finishing: m.finishing,
		transcribing: m.transcribing,
	}[is];
	const isBusy = is !== "idle" && is !== "speaking";
	return (
		<button
			type="button"
			class="button is-main"
			aria-disabled={isBusy}
			onClick={() => {
				if (is === "idle") void endCheck().then(speak);
				if (is === "speaking") void stop();
			}}
		>
			{isBusy ? (
				<span class="spinner" aria-hidden="true" />
			) : (
				<Icon name={is === "idle" ? "microphone" : "stop"} />
			)}
			{label}
		</button>
	);
}

/** Before one speaks. */
function CheckButton() {
	const m = liveTexts();
	useEffect(
		() => () => {
			void endCheck();
		},
		[],
	);
	if (phase.value !== "idle") return null;
	return (
		<button
			type="button"
			class="button is-small"
			onClick={() => void (isChecking.value ? endCheck() : check())}
		>
			{isChecking.value ? m.endCheck : m.check}
		</button>
	);
}

/** Not by colour alone. */
function LevelNotice() {
	const m = liveTexts();
	const { clips, silent } = level.value;
	if (!clips && !silent) return null;
	return (
		<p class="small" role="status">
			{clips ? m.clipping : m.silent}
		</p>
	);
}

function Trouble() {
	const m = liveTexts();
	switch (trouble.value?.is) {
		case "refused":
			return <Problem>{m.refused}</Problem>;
		case "no-microphone":
			return <Problem>{m.noMicrophone}</Problem>;
		case "failed":
			return <Problem>{m.microphoneFailed(trouble.value.why)}</Problem>;
		case "gone":
			return <Problem>{m.microphoneGone}</Problem>;
		case "socket":
			return <Problem>{m.socketRefused}</Problem>;
		case "lost":
			return <Problem>{m.lost}</Problem>;
		case "ended":
			return <Problem>{m.ended(trouble.value.why)}</Problem>;
		case "unheard":
			return (
				<Problem
					again={
						phase.value === "idle" ? () => void transcribeRecorded() : undefined
					}
				>
					{m.unheard(trouble.value.why)}
				</Problem>
			);
		default:
			return null;
	}
}

/** Where a clip to try comes from: a file, what is said now, what was said on Live, or a file that the device keeps. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { may } from "../../app/session.js";
import { type Capture, rateHz, startCapture } from "../../audio/capture.js";
import { formatOf } from "../../audio/formats.js";
import { wavOf } from "../../audio/wav.js";
import { FileButton } from "../../parts/file-button.js";
import { Icon } from "../../parts/icon.js";
import { Meter } from "../../parts/meter.js";
import { Problem } from "../../parts/notice.js";
import { recording } from "../live/live-model.js";
import { KeptFiles } from "./kept-file.js";
import { wordsTexts } from "./texts.js";

interface Sources {
	readonly onClip: (audio: Blob, format: string) => void;
}

const recordedFramesMax = 1500;

export function ClipSources({ onClip }: Sources) {
	const m = wordsTexts();
	const recorded = recording();
	return (
		<div class="stack">
			<div class="row">
				<FileButton
					label={m.tryClip}
					main={false}
					onFiles={([file]) => {
						if (file) onClip(file, formatOf(file.name));
					}}
				/>
				{isSecureContext && "mediaDevices" in navigator && (
					<RecordButton onClip={onClip} />
				)}
				{recorded && (
					<button
						type="button"
						class="button"
						onClick={() => onClip(recorded, "wav")}
					>
						{m.tryRecorded}
					</button>
				)}
			</div>
			{may("files") && <KeptFiles onClip={onClip} />}
		</div>
	);
}

function RecordButton({ onClip }: Sources) {
	const m = wordsTexts();
	const peak = useSignal<number | undefined>(undefined);
	const wrong = useSignal("");
	const frames = useRef<Int16Array[]>([]);
	const capture = useRef<Promise<Capture> | undefined>(undefined);
	const end = async () => {
		const opened = capture.current;
		capture.current = undefined;
		peak.value = undefined;
		await (await opened?.catch(() => undefined))?.stop();
	};
	useEffect(
		() => () => {
			void end(); // the page is left
		},
		[],
	);
	const begin = async () => {
		frames.current = [];
		wrong.value = "";
		peak.value = 0;
		capture.current = startCapture("", (frame) => {
			if (!capture.current) return;
			peak.value = frame.peak;
			frames.current.push(frame.samples);
			if (frames.current.length >= recordedFramesMax) void finish();
		});
		try {
			await capture.current;
		} catch {
			wrong.value = m.noRecording;
			await end();
		}
	};
	const finish = async () => {
		await end();
		if (frames.current.length > 0) onClip(wavOf(frames.current, rateHz), "wav");
	};
	const isOn = peak.value !== undefined;
	return (
		<>
			<button
				type="button"
				class="button"
				onClick={() => void (isOn ? finish() : begin())}
			>
				<Icon name={isOn ? "stop" : "microphone"} />
				{isOn ? m.stopRecording : m.record}
			</button>
			{isOn && <Meter peak={peak.value ?? 0} label={m.level} />}
			{wrong.value && <Problem>{wrong.value}</Problem>}
		</>
	);
}

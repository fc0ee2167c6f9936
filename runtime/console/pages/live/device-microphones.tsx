/** The microphones of the device itself: state, level of each channel, direction, mute, push to talk, and what they hear. */
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { data } from "../../app/api.js";
import { may } from "../../app/session.js";
import {
	type DeviceMicrophone,
	Levels,
	MicrophonePhase,
	MuteButton,
	setMicrophone,
} from "../../parts/microphone-parts.js";
import { microphoneTexts } from "../../parts/microphone-texts.js";
import { troubleText, warningText } from "../../parts/microphone-trouble.js";
import { Empty, Loading, Problem, reasonOf } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { number } from "../../texts/texts.js";
import { add, partial } from "./live-model.js";
import { followMicrophone } from "./microphone-socket.js";
import { liveTexts } from "./texts.js";

export function DeviceMicrophones() {
	const m = liveTexts();
	const found = useSignal<readonly DeviceMicrophone[] | undefined>(undefined);
	const wrong = useSignal("");
	const load = () =>
		data<readonly DeviceMicrophone[]>("v1/microphones").then(
			(list) => {
				found.value = list;
				wrong.value = "";
			},
			(thrown: unknown) => {
				wrong.value = reasonOf(thrown);
			},
		);
	useEffect(() => void load(), []);
	if (wrong.value)
		return <Problem again={() => void load()}>{wrong.value}</Problem>;
	if (!found.value) return <Loading>{common().loading}</Loading>;
	if (found.value.length === 0)
		return (
			<div class="card">
				<Empty icon="microphone" title={m.deviceMicrophone}>
					<p>{microphoneTexts().none}</p>
				</Empty>
			</div>
		);
	return (
		<ul class="cards-list">
			{found.value.map((it) => (
				<One key={it.id} given={it} />
			))}
		</ul>
	);
}

function One({ given }: { readonly given: DeviceMicrophone }) {
	const m = liveTexts();
	const state = useSignal(given);
	const levels = useSignal<readonly number[]>(given.levels_dbfs);
	const azimuth = useSignal<number | undefined>(undefined);
	const wrong = useSignal("");
	useEffect(() => {
		if (!may("asr")) return;
		return followMicrophone(given.id, {
			onMessage: (message, connection) => {
				switch (message.is) {
					case "state":
						state.value = message.microphone;
						return;
					case "level":
						levels.value = message.levels_dbfs;
						return;
					case "partial":
						partial.value = { stable: "", rest: message.text };
						return;
					case "final": {
						partial.value = undefined;
						azimuth.value = message.azimuth_deg;
						const { text, index, confidence } = message;
						const { azimuth_deg: azimuthDeg } = message;
						add(
							{
								key: `${given.id}/${connection}/${index}`,
								text,
								confidence,
								...(azimuthDeg !== undefined && { azimuthDeg }),
							},
							given.language,
						);
					}
				}
			},
			onLost: () => {
				partial.value = undefined;
			},
		});
	}, [given.id]);
	const set = (change: { muted?: boolean; talking?: boolean }) =>
		setMicrophone(given.id, change).then(
			(it) => {
				state.value = it;
				wrong.value = "";
			},
			(thrown: unknown) => {
				wrong.value = reasonOf(thrown);
			},
		);
	const isHeld = useRef(false);
	const sent = useRef(Promise.resolve());
	/** Only who holds the button lets go: a pointer that crosses it ends nobody's talk. */
	const talk = (talking: boolean) => {
		if (isHeld.current === talking) return;
		isHeld.current = talking;
		sent.current = sent.current.then(() => set({ talking }));
	};
	useEffect(() => {
		const letGo = () => talk(false);
		window.addEventListener("pagehide", letGo);
		return () => {
			window.removeEventListener("pagehide", letGo);
			letGo();
		};
	}, [given.id]);
	const it = state.value;
	const name = it.room || it.id;
	return (
		<li class="card is-tight microphone">
			<div class="grow stack-small">
				<div class="row">
					<h3>{name}</h3>
					<MicrophonePhase phase={it.phase} />
				</div>
				<Levels levelsDbfs={levels.value} />
				{it.trouble && <Problem>{troubleText(it)}</Problem>}
				{it.warning_codes.map((code) => (
					<p key={code} class="small">
						{warningText(code)}
					</p>
				))}
				{wrong.value && <Problem>{wrong.value}</Problem>}
				{may("admin") && (
					<div class="row">
						<MuteButton
							name={name}
							muted={it.muted}
							onMute={(muted) => void set({ muted })}
						/>
						{it.push_to_talk && (
							<button
								type="button"
								class="button is-small"
								onPointerDown={() => talk(true)}
								onPointerUp={() => talk(false)}
								onPointerLeave={() => talk(false)}
								onPointerCancel={() => talk(false)}
								onBlur={() => talk(false)}
								onKeyDown={(event) => event.key === " " && talk(true)}
								onKeyUp={(event) => event.key === " " && talk(false)}
							>
								{m.talk}
							</button>
						)}
					</div>
				)}
			</div>
			{azimuth.value !== undefined && (
				<Dial
					degrees={azimuth.value}
					label={m.direction(number(azimuth.value))}
				/>
			)}
		</li>
	);
}

function Dial({
	degrees,
	label,
}: {
	readonly degrees: number;
	readonly label: string;
}) {
	const angle = (degrees * Math.PI) / 180;
	return (
		<figure>
			<svg class="dial" viewBox="-50 -50 100 100" aria-hidden="true">
				<circle r="44" />
				<line
					class="needle"
					x2={(36 * Math.sin(angle)).toFixed(1)}
					y2={(-36 * Math.cos(angle)).toFixed(1)}
				/>
			</svg>
			<figcaption class="small number">{label}</figcaption>
		</figure>
	);
}

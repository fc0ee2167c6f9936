/** A microphone of the device: state, level of each channel, direction, mute, push to talk. */
import { useSignal } from "@preact/signals";
import { may } from "../../app/session.js";
import {
	type DeviceMicrophone,
	Levels,
	MicrophonePhase,
	MuteButton,
	setMicrophone,
} from "../../parts/microphone-parts.js";
import { troubleText, warningText } from "../../parts/microphone-trouble.js";
import { Problem, reasonOf } from "../../parts/notice.js";
import { number } from "../../texts/texts.js";
import { useFollowedMicrophone } from "./followed-microphone.js";
import { TalkButton } from "./talk-button.js";
import { liveTexts } from "./texts.js";

export function DeviceMicrophoneCard({
	given,
}: {
	/** As it was when the page opened. */
	readonly given: DeviceMicrophone;
}) {
	const { state, levelsDbfs, azimuthDeg } = useFollowedMicrophone(given);
	const wrong = useSignal("");
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
	const it = state.value;
	const name = it.room || it.id;
	return (
		<li class="card is-tight microphone">
			<div class="grow stack-small">
				<div class="row">
					<h3>{name}</h3>
					<MicrophonePhase phase={it.phase} />
				</div>
				<Levels levelsDbfs={levelsDbfs.value} />
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
							<TalkButton onTalk={(talking) => set({ talking })} />
						)}
					</div>
				)}
			</div>
			{azimuthDeg.value !== undefined && <Dial degrees={azimuthDeg.value} />}
		</li>
	);
}

/** Where a voice came from. */
function Dial({ degrees }: { readonly degrees: number }) {
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
			<figcaption class="small number">
				{liveTexts().direction(number(degrees))}
			</figcaption>
		</figure>
	);
}

/** The microphones of the device: what each does, how loud it is now, and muting it. */
import { useSignal } from "@preact/signals";
import { may } from "../../app/session.js";
import {
	Levels,
	MicrophonePhase,
	MuteButton,
	setMicrophone,
} from "../../parts/microphone-parts.js";
import { microphoneTexts } from "../../parts/microphone-texts.js";
import { troubleText } from "../../parts/microphone-trouble.js";
import { Problem, reasonOf } from "../../parts/notice.js";
import { levels, type Status } from "./status.js";

type Microphone = Status["microphones"][number];

export function Microphones({ now }: { readonly now: Status }) {
	if (now.microphones.length === 0)
		return <p class="small">{microphoneTexts().none}</p>;
	return (
		<ul class="rows-list">
			{now.microphones.map((it) => (
				<MicrophoneRow key={it.id} it={it} />
			))}
		</ul>
	);
}

function MicrophoneRow({ it }: { readonly it: Microphone }) {
	const wrong = useSignal("");
	/** What was asked for, until the device says it itself. */
	const requested = useSignal<boolean | undefined>(undefined);
	const muted = requested.value ?? it.muted;
	if (requested.value === it.muted) requested.value = undefined;
	const name = it.room || it.id;
	const mute = async (wanted: boolean) => {
		wrong.value = "";
		requested.value = wanted;
		try {
			await setMicrophone(it.id, { muted: wanted });
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
			requested.value = undefined;
		}
	};
	return (
		<li class="stack-small">
			<div class="row is-apart">
				<strong>{name}</strong>
				<span class="row">
					<MicrophonePhase phase={it.phase} />
					{may("admin") && (
						<MuteButton
							name={name}
							muted={muted}
							onMute={(wanted) => void mute(wanted)}
						/>
					)}
				</span>
			</div>
			<Levels levelsDbfs={levels.value[it.id] ?? it.levels_dbfs} />
			{it.trouble && <small>{troubleText(it)}</small>}
			{wrong.value && <Problem>{wrong.value}</Problem>}
		</li>
	);
}

/** The microphones of the device itself. */
import { data } from "../../app/api.js";
import { useLoaded } from "../../parts/loaded.js";
import type { DeviceMicrophone } from "../../parts/microphone-parts.js";
import { microphoneTexts } from "../../parts/microphone-texts.js";
import { Empty, Loading, Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { DeviceMicrophoneCard } from "./device-microphone-card.js";
import { liveTexts } from "./texts.js";

export function DeviceMicrophones() {
	const found = useLoaded(() =>
		data<readonly DeviceMicrophone[]>("v1/microphones"),
	);
	if (found.wrong)
		return <Problem again={() => void found.reload()}>{found.wrong}</Problem>;
	if (!found.value) return <Loading>{common().loading}</Loading>;
	if (found.value.length === 0)
		return (
			<div class="card">
				<Empty icon="microphone" title={liveTexts().deviceMicrophone}>
					<p>{microphoneTexts().none}</p>
				</Empty>
			</div>
		);
	return (
		<ul class="cards-list">
			{found.value.map((it) => (
				<DeviceMicrophoneCard key={it.id} given={it} />
			))}
		</ul>
	);
}

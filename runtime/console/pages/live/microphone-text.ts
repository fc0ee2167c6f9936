/** What a microphone of the device recognizes, in the text of the page. */
import type { DeviceMicrophone } from "../../parts/microphone-parts.js";
import type { MicrophoneMessage } from "./microphone-socket.js";
import { setPartial } from "./partials.js";
import { add } from "./sentences.js";

export function showMicrophoneText(
	{ id, room: given, language }: DeviceMicrophone,
	message: MicrophoneMessage & { readonly is: "partial" | "final" },
	connection: number,
): void {
	const room = given || id;
	if (message.is === "partial") {
		const { text: rest } = message;
		setPartial(id, rest ? { stable: "", rest, language, room } : undefined);
		return;
	}
	const { text, index, confidence, azimuth_deg } = message;
	setPartial(id, undefined);
	add(
		{
			key: `${id}/${connection}/${index}`,
			room,
			text,
			confidence,
			...(azimuth_deg !== undefined && { azimuthDeg: azimuth_deg }),
		},
		language,
	);
}

/** A recording in place of a microphone; telephones record one for this field, over plain HTTP too. */
import { useSignal } from "@preact/signals";
import { formatOf } from "../../audio/formats.js";
import { FileButton } from "../../parts/file-button.js";
import { Loading, Note, Problem, reasonOf } from "../../parts/notice.js";
import { phase, transcribe } from "./live-model.js";
import { liveTexts } from "./texts.js";

export function ClipSource({ record = false }: { readonly record?: boolean }) {
	const m = liveTexts();
	const wrong = useSignal("");
	const take = async (file: File) => {
		wrong.value = "";
		try {
			await transcribe(file, formatOf(file.name));
		} catch (thrown) {
			wrong.value = reasonOf(thrown);
		}
	};
	return (
		<div class="card is-tight live-controls">
			{phase.value === "idle" ? (
				<FileButton
					label={record ? m.record : m.choose}
					capture={record}
					onFiles={([file]) => {
						if (file) void take(file);
					}}
				/>
			) : phase.value === "transcribing" ? (
				<Loading>{m.transcribing}</Loading>
			) : (
				<Note>{m.microphoneIsOn}</Note>
			)}
			{wrong.value && <Problem>{wrong.value}</Problem>}
		</div>
	);
}

/** A recording in place of a microphone; telephones record one for this field, over plain HTTP too. */
import { effect, signal } from "@preact/signals";
import { isIn } from "../../app/session.js";
import { formatOf } from "../../audio/formats.js";
import { FileButton } from "../../parts/file-button.js";
import { Loading, Note, Problem, reasonOf } from "../../parts/notice.js";
import { phase, transcribe } from "./live-model.js";
import { liveTexts } from "./texts.js";

/** A telephone's recording may be nowhere else: it is kept while its speaker looks at other pages. */
const failed = signal<
	{ readonly file: File; readonly why: string } | undefined
>(undefined);

effect(() => {
	if (!isIn.value) failed.value = undefined;
});

export function ClipSource({ record = false }: { readonly record?: boolean }) {
	const m = liveTexts();
	const take = async (file: File) => {
		failed.value = undefined;
		try {
			await transcribe(file, formatOf(file.name));
		} catch (thrown) {
			if (isIn.peek()) failed.value = { file, why: reasonOf(thrown) };
		}
	};
	const againWith = (file: File) =>
		phase.value === "idle" ? () => void take(file) : undefined;
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
			{failed.value && (
				<Problem again={againWith(failed.value.file)}>
					{failed.value.why}
				</Problem>
			)}
		</div>
	);
}

/** A button that asks for files. */
import { useRef } from "preact/hooks";
import { Icon } from "./icon.js";

export function FileButton({
	label,
	onFiles,
	multiple = false,
	capture = false,
	accept = "audio/*,video/*",
	main = true,
}: {
	readonly label: string;
	readonly onFiles: (files: readonly File[]) => void;
	readonly multiple?: boolean;
	/** Telephones offer to record. */
	readonly capture?: boolean;
	readonly accept?: string;
	readonly main?: boolean;
}) {
	const input = useRef<HTMLInputElement>(null);
	return (
		<div>
			<button
				type="button"
				class={main ? "button is-main" : "button"}
				onClick={() => input.current?.click()}
			>
				<Icon name="upload" />
				{label}
			</button>
			<input
				ref={input}
				class="hidden-text"
				type="file"
				tabIndex={-1}
				aria-hidden="true"
				accept={capture ? "audio/*" : accept}
				multiple={multiple}
				{...(capture && { capture: "user" as const })}
				onChange={(event) => {
					onFiles([...(event.currentTarget.files ?? [])]);
					event.currentTarget.value = "";
				}}
			/>
		</div>
	);
}

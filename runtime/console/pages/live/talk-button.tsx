/** Push to talk: the microphone is open as long as the button, or the space bar on it, is held. */
import { useEffect, useRef } from "preact/hooks";
import { liveTexts } from "./texts.js";

export function TalkButton({
	onTalk,
}: {
	/** Called again only once it has settled. */
	readonly onTalk: (talking: boolean) => Promise<void>;
}) {
	const isHeld = useRef(false);
	const sent = useRef(Promise.resolve());
	/** Only who holds the button lets go: a pointer that crosses it ends nobody's talk. */
	const talk = (talking: boolean) => {
		if (isHeld.current === talking) return;
		isHeld.current = talking;
		sent.current = sent.current.then(() => onTalk(talking));
	};
	useEffect(() => {
		const letGo = () => talk(false);
		window.addEventListener("pagehide", letGo);
		return () => {
			window.removeEventListener("pagehide", letGo);
			letGo();
		};
	}, []);
	return (
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
			{liveTexts().talk}
		</button>
	);
}

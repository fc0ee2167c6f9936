/** Drawn in the colour of the text beside them, on a grid of 24. */

const paths = {
	earshot: "M5 10v4M8.5 7.5v9M12 4.5v15M15.5 8v8M19 10v4",
	microphone:
		"M12 3a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0V6a3 3 0 0 0-3-3zM6 11a6 6 0 0 0 12 0M12 17v4M9 21h6",
	file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
	words: "M4 6h16M4 12h10M4 18h7M17 14l1.5 3 3 .5-2.2 2 .6 3-2.9-1.5",
	device: "M4 5h16v11H4zM9 20h6M12 16v4M8 9h3M8 12h6",
	key: "M14.5 9.5a4 4 0 1 1-4-4 4 4 0 0 1 4 4zM13.5 12.5 21 20M17 16l2-2",
	code: "M8 7l-5 5 5 5M16 7l5 5-5 5M13.5 5l-3 14",
	settings:
		"M4 7h9M17 7h3M4 17h3M11 17h9M15 4.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4zM9 14.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4z",
	play: "M7 4.5v15l12-7.5z",
	pause: "M8 5v14M16 5v14",
	stop: "M6 6h12v12H6z",
	close: "M6 6l12 12M18 6 6 18",
	check: "M5 12.5l4.5 4.5L19 7.5",
	warning: "M12 4 2.5 20h19zM12 10v5M12 17.5v.2",
	info: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18zM12 11v5M12 7.8v.2",
	download: "M12 4v11M7 11l5 5 5-5M5 20h14",
	upload: "M12 16V5M7 9l5-5 5 5M5 20h14",
	copy: "M9 9h10v11H9zM5 15V4h10",
	trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5",
	edit: "M4 20l1-5L16 4l4 4L9 19zM13.5 6.5l4 4",
	undo: "M8 5 4 9l4 4M4 9h10a5 5 0 0 1 0 10h-3",
	redo: "M16 5l4 4-4 4M20 9H10a5 5 0 0 0 0 10h3",
	plus: "M12 5v14M5 12h14",
	back: "M14 6l-6 6 6 6",
	search: "M10.5 4a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM15.5 15.5 20 20",
	mute: "M9 6a3 3 0 0 1 6 0v5M9 9v2a3 3 0 0 0 4.5 2.6M6 11a6 6 0 0 0 9.5 4.9M18 11a6 6 0 0 1-.5 2.3M12 17v4M9 21h6M4 4l16 16",
	print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { readonly name: IconName }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
			<path d={paths[name]} />
		</svg>
	);
}

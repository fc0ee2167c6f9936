/** One of a few views; arrow keys move between them. */

export function Tabs<Name extends string>({
	label,
	tabs,
	chosen,
	onChoose,
}: {
	readonly label: string;
	readonly tabs: Readonly<Partial<Record<Name, string>>>;
	readonly chosen: Name;
	readonly onChoose: (name: Name) => void;
}) {
	const names = Object.keys(tabs) as Name[];
	const move = (event: KeyboardEvent) => {
		const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
		if (step === undefined) return;
		const next =
			names[(names.indexOf(chosen) + step + names.length) % names.length];
		if (!next) return;
		onChoose(next);
		const list = (event.currentTarget as HTMLElement).children;
		(list[names.indexOf(next)] as HTMLElement | undefined)?.focus();
	};
	return (
		<div class="tabs" role="tablist" aria-label={label} onKeyDown={move}>
			{names.map((name) => (
				<button
					key={name}
					type="button"
					role="tab"
					aria-selected={name === chosen}
					tabIndex={name === chosen ? 0 : -1}
					onClick={() => onChoose(name)}
				>
					{tabs[name]}
				</button>
			))}
		</div>
	);
}

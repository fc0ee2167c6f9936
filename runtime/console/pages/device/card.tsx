/** One part of the page, and facts in it. */
import type { ComponentChildren } from "preact";

export function Card({
	title,
	size = "usual",
	children,
}: {
	readonly title: string;
	/** Of the columns. */
	readonly size?: "usual" | "double" | "wide";
	readonly children: ComponentChildren;
}) {
	return (
		<section class={`card stack is-${size}`} aria-label={title}>
			<h2>{title}</h2>
			{children}
		</section>
	);
}

export type Fact = readonly [name: string, value: string];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
	return (
		<dl class="facts">
			{facts.flatMap(([name, value]) => [
				<dt key={name}>{name}</dt>,
				<dd key={`${name}/`} class="number">
					{value}
				</dd>,
			])}
		</dl>
	);
}

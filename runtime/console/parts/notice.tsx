/** What the page says of itself: waiting, empty, wrong. */
import type { ComponentChildren } from "preact";
import { ApiError } from "../app/api.js";
import { common } from "../texts/common.js";
import { refusalText } from "../texts/errors.js";
import { Icon, type IconName } from "./icon.js";

interface Given {
	readonly children: ComponentChildren;
}

/** Never without words. */
export function Loading({ children }: Given) {
	return (
		<p class="loading" role="status">
			<span class="spinner" aria-hidden="true" />
			{children}
		</p>
	);
}

/** Stands beside what caused it. @param isOld it may have been so for days: nobody is told as if it had happened now */
export function Problem({
	children,
	again,
	isOld = false,
}: Given & {
	readonly again?: (() => void) | undefined;
	readonly isOld?: boolean;
}) {
	return (
		<div class="notice is-problem" role={isOld ? undefined : "alert"}>
			<Icon name="warning" />
			<div class="notice-text">{children}</div>
			{again && (
				<button type="button" class="button is-small" onClick={again}>
					{common().retry}
				</button>
			)}
		</div>
	);
}

export function Note({ children }: Given) {
	return (
		<div class="notice">
			<Icon name="info" />
			<div class="notice-text">{children}</div>
		</div>
	);
}

/** There is nothing here yet, and what to do about it. */
export function Empty({
	icon,
	title,
	children,
}: Given & { readonly icon: IconName; readonly title: string }) {
	return (
		<div class="empty">
			<Icon name={icon} />
			<h2>{title}</h2>
			<div class="empty-text">{children}</div>
		</div>
	);
}

/** What went wrong, in words. */
export function reasonOf(thrown: unknown): string {
	const m = common();
	if (!(thrown instanceof ApiError))
		return thrown instanceof Error ? thrown.message : m.failed;
	if (thrown.http === 0) return m.offline;
	const [, scope] = /lacks the scope (\w+)/.exec(thrown.message) ?? [];
	if (scope) return m.forbidden(scope);
	return refusalText(thrown.status, thrown.message) || m.failed;
}

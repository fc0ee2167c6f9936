/** Pages are fragments, `#/files/ID`: they work under any prefix without a rewrite. */
import { computed, signal } from "@preact/signals";

const hash = signal(location.hash);
addEventListener("hashchange", () => {
	hash.value = location.hash;
});

/** Segments of the fragment, decoded; the first names the page. */
export const place = computed<readonly string[]>(() => {
	const path = hash.value.replace(/^#\/?/, "").split("?")[0] ?? "";
	return path === "" ? ["live"] : path.split("/").map(decoded);
});

export function hrefTo(...segments: readonly string[]): string {
	return `#/${segments.map(encodeURIComponent).join("/")}`;
}

export function goTo(...segments: readonly string[]): void {
	location.hash = hrefTo(...segments);
}

/** Takes the fragment out of the address and out of the history. */
export function forgetFragment(): void {
	history.replaceState(null, "", `${location.pathname}${location.search}`);
	hash.value = "";
}

function decoded(segment: string): string {
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

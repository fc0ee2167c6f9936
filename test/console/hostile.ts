/** Markup that would do something if a page took text for HTML. Each announces itself in `window.ran`, and is a text that a person could have typed. */

const run = "window.ran=1";

export const hostile: readonly string[] = [
	`<script>${run}</script>`,
	`"><script>${run}</script>`,
	`</script><script>${run}</script>`,
	`</title><script>${run}</script>`,
	`</textarea><img src=x onerror=${run}>`,
	`<img src=x onerror=${run}>`,
	`<img/src=x/onerror=${run}>`,
	`<svg onload=${run}>`,
	`<svg><script>${run}</script></svg>`,
	`<svg><animate onbegin=${run} attributeName=x dur=1s>`,
	`<math><mtext><img src=x onerror=${run}></mtext></math>`,
	`<iframe srcdoc="<script>parent.ran=1</script>">`,
	`<iframe src="javascript:parent.ran=1">`,
	`<details open ontoggle=${run}>`,
	`<video><source onerror=${run}></video>`,
	`<audio src=x onerror=${run}>`,
	`<input autofocus onfocus=${run}>`,
	`<body onload=${run}>`,
	`<a href="javascript:${run}">a</a>`,
	`<object data="javascript:${run}">`,
	`<style>@import "x";</style><img src=x onerror=${run}>`,
	`<template><img src=x onerror=${run}></template>`,
	`" autofocus onfocus="${run}`,
	`' onmouseover='${run}`,
	`javascript:${run}`,
	`{{constructor.constructor("${run}")()}}`,
	`\${${run}}`,
	`&lt;img src=x onerror=${run}&gt;`,
	`<noscript><p title="</noscript><img src=x onerror=${run}>">`,
	`\u202e<img src=x onerror=${run}>`,
];

/** Asks a page whether any of them did something: by itself, or as an element that only they could have made. */
export const harm = `(() => {
	const foreign = [...document.querySelectorAll("script:not([src]), iframe, object, video, math, animate, [onerror], [onload], [onfocus], [onmouseover], [ontoggle], a[href^=javascript]")];
	return [...(window.ran ? ["ran"] : []), ...foreign.map((it) => it.outerHTML.slice(0, 200))];
})()`;

/** Fields that a page acts on rather than shows. */
const kept =
	/^(status|lane|desc|task_id|id|app_id|begin|end|lang_type|state|openapi|method|in|type|\$ref|kind|scopes|languages|insert_time|signed_in|names?_of)$/;

/** An answer of the device with a payload in place of every text, and as many rows in each list as there are payloads. */
export function poisoned(value: unknown, at = 0, key = ""): unknown {
	if (typeof value === "string")
		return kept.test(key) ? value : hostile[at % hostile.length];
	if (Array.isArray(value)) {
		if (kept.test(key) || value.length === 0) return value;
		return hostile.map((_, i) => {
			const row = poisoned(value[i % value.length], at + i);
			const isRow = typeof row === "object" && row !== null;
			return isRow && "seg_num" in row ? { ...row, seg_num: i + 1 } : row;
		});
	}
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner], i) => [
			name,
			poisoned(inner, at + i, name),
		]),
	);
}

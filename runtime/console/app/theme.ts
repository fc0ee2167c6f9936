/** Light, dark, or as the system has it. */
import { effect, signal } from "@preact/signals";
import { remembered } from "./remembered.js";

export type Theme = "system" | "light" | "dark";

const kept = remembered<Theme>("theme", "system");

export const theme = signal<Theme>(kept.get());

effect(() => {
	kept.set(theme.value);
	document.documentElement.dataset.theme = theme.value;
});

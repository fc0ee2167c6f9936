/** The audio of a transcript: a plain `<audio>`, which fetches what it plays by ranges. */
import { signal } from "@preact/signals";
import { answerTo, apiUrl, refusal } from "../../app/api.js";
import { reasonOf } from "../../parts/notice.js";

const stepSeconds = 5;
const soonMs = 1000;
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

/** Why it does not play: the device has no audio any more, this browser can't play it, or it did not come. */
export type AudioTrouble = "gone" | "unplayable" | { readonly wrong: string };

export class Player {
	readonly element = new Audio();
	readonly playing = signal(false);
	readonly seconds = signal(0);
	readonly length = signal(0);
	readonly speed = signal(1);
	readonly trouble = signal<AudioTrouble | undefined>(undefined);
	readonly #path: string;
	#frame = 0;
	#opening: ReturnType<typeof setTimeout> | undefined;
	#isOpen = false;
	#isClosed = false;

	constructor(path: string) {
		this.#path = path;
		const { element } = this;
		element.preload = "metadata";
		element.onloadedmetadata = () => {
			if (Number.isFinite(element.duration))
				this.length.value = element.duration;
		};
		element.ondurationchange = element.onloadedmetadata;
		element.onplay = () => {
			this.playing.value = true;
			this.#follow();
		};
		element.onpause = () => {
			this.playing.value = false;
		};
		element.onseeked = () => {
			this.seconds.value = element.currentTime;
		};
		element.onerror = () => void this.#findTrouble();
	}

	/** Fetches the audio a moment later, unless it is wanted before. The text comes first: browsers take a short file as a whole, on a slow network for seconds. */
	openSoon(): void {
		if (!this.#isClosed) this.#opening = setTimeout(() => this.#open(), soonMs);
	}

	/** @param seconds as far as is known without the audio itself */
	lasts(seconds: number): void {
		if (this.length.value === 0) this.length.value = seconds;
	}

	toggle(): void {
		this.#open();
		if (this.element.paused) void this.element.play().catch(() => {});
		else this.element.pause();
	}

	playFrom(seconds: number): void {
		this.goTo(seconds);
		void this.element.play().catch(() => {});
	}

	goTo(seconds: number): void {
		this.#open();
		this.element.currentTime = Math.max(0, seconds);
		this.seconds.value = this.element.currentTime;
	}

	step(direction: 1 | -1): void {
		this.goTo(this.element.currentTime + direction * stepSeconds);
	}

	changeSpeed(direction: 1 | -1): void {
		const at = speeds.indexOf(this.speed.value);
		this.setSpeed(
			speeds[Math.max(0, Math.min(speeds.length - 1, at + direction))] ?? 1,
		);
	}

	setSpeed(speed: number): void {
		this.speed.value = speed;
		this.element.playbackRate = speed;
		// what a browser goes back to when it opens the audio, for the first time or once more
		this.element.defaultPlaybackRate = speed;
	}

	/** After a trouble: from where it was. */
	again(): void {
		this.trouble.value = undefined;
		const at = this.seconds.value;
		this.element.src = apiUrl(this.#path);
		this.element.currentTime = at;
	}

	close(): void {
		this.#isClosed = true;
		clearTimeout(this.#opening);
		cancelAnimationFrame(this.#frame);
		this.element.pause();
		this.element.removeAttribute("src");
		this.element.load();
	}

	readonly speeds = speeds;

	#open(): void {
		if (this.#isOpen || this.#isClosed) return;
		this.#isOpen = true;
		this.element.src = apiUrl(this.#path);
	}

	/** The element has one error for all of them: asked for the first byte, the device tells them apart. */
	async #findTrouble(): Promise<void> {
		try {
			const headers = { Range: "bytes=0-0" };
			const answer = await answerTo(this.#path, { headers, cache: "no-store" });
			if (answer.ok) this.trouble.value = "unplayable";
			else if (answer.status === 404) this.trouble.value = "gone";
			else throw refusal(answer, await answer.json().catch(() => undefined));
		} catch (thrown) {
			this.trouble.value = { wrong: reasonOf(thrown) };
		}
	}

	/** More often than the element says by itself, for words that are lit. */
	#follow(): void {
		this.seconds.value = this.element.currentTime;
		if (this.playing.value)
			this.#frame = requestAnimationFrame(() => this.#follow());
	}
}

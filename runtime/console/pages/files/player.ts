/** The audio of a transcript: a plain `<audio>`, which fetches what it plays by ranges. */
import { signal } from "@preact/signals";

const stepSeconds = 5;
const soonMs = 1000;
const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];

export class Player {
	readonly element = new Audio();
	readonly playing = signal(false);
	readonly seconds = signal(0);
	readonly length = signal(0);
	readonly speed = signal(1);
	readonly wrong = signal(false);
	readonly #address: string;
	#frame = 0;
	#opening: ReturnType<typeof setTimeout> | undefined;
	#isOpen = false;
	#isClosed = false;

	constructor(address: string) {
		this.#address = address;
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
		element.onerror = () => {
			this.wrong.value = true;
		};
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
		this.element.src = this.#address;
	}

	/** More often than the element says by itself, for words that are lit. */
	#follow(): void {
		this.seconds.value = this.element.currentTime;
		if (this.playing.value)
			this.#frame = requestAnimationFrame(() => this.#follow());
	}
}

/**
 * When a token was used last, and through which endpoint: for whoever wonders which of them are still needed. It is kept over restarts, but not written with each
 * use: a power cut forgets the last minutes.
 */
import type { LogPort } from "../../log/log-port.js";
import type { TokenUse, TokenUses } from "../../store/token-uses.js";

const tokensMax = 10_000;
/** From a use until it is written, with those that came meanwhile. */
const keepMs = 5 * 60_000;

export class LastUse {
	readonly #kept: Pick<TokenUses, "read" | "keep">;
	readonly #log: Pick<LogPort, "warn">;
	readonly #nowSeconds: () => number;
	readonly #uses: Map<string, TokenUse>;
	/** Runs while something is not written. */
	#timer: NodeJS.Timeout | undefined;

	constructor(
		kept: Pick<TokenUses, "read" | "keep">,
		log: Pick<LogPort, "warn">,
		nowSeconds = () => Date.now() / 1000,
	) {
		this.#kept = kept;
		this.#log = log;
		this.#nowSeconds = nowSeconds;
		this.#uses = new Map(kept.read().map((it) => [it.id, it]));
	}

	note(id: string, endpoint: string): void {
		this.#uses.delete(id); // the order is that of use: the first is forgotten
		this.#uses.set(id, { id, atSeconds: this.#nowSeconds(), endpoint });
		this.#keepLater();
		if (this.#uses.size <= tokensMax) return;
		const [oldest] = this.#uses.keys();
		if (oldest !== undefined) this.#uses.delete(oldest);
	}

	of(id: string): TokenUse | undefined {
		return this.#uses.get(id);
	}

	/** Writes what was noted. Never rejects. */
	async keep(): Promise<void> {
		if (!this.#timer) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			await this.#kept.keep([...this.#uses.values()]);
		} catch (err) {
			this.#keepLater();
			this.#log.warn({ err }, "failed to write when tokens were used");
		}
	}

	#keepLater(): void {
		this.#timer ??= setTimeout(() => void this.keep(), keepMs).unref();
	}
}

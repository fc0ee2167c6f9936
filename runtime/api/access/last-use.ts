/**
 * When a token was used last, and through which endpoint: for whoever wonders which of them are still needed. It is kept over restarts, but not written with each
 * use: a power cut forgets the last minutes. Where there are too many, those of tokens that end by themselves (of applications, of sessions) are forgotten first.
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
	/** By the token's id; the order is that of use. */
	readonly #passing = new Map<string, TokenUse>();
	readonly #lasting = new Map<string, TokenUse>();
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
		for (const use of kept.read()) this.#set(use);
	}

	/** @param isPassing it is one of many that come and go. */
	note(id: string, endpoint: string, isPassing = false): void {
		const atSeconds = this.#nowSeconds();
		this.#set({ id, atSeconds, endpoint, isPassing });
		this.#keepLater();
		if (this.#passing.size + this.#lasting.size <= tokensMax) return;
		const uses = this.#passing.size > 0 ? this.#passing : this.#lasting;
		const [oldest] = uses.keys();
		if (oldest !== undefined) uses.delete(oldest);
	}

	of(id: string): TokenUse | undefined {
		return this.#lasting.get(id) ?? this.#passing.get(id);
	}

	/** Writes what was noted. Never rejects. */
	async keep(): Promise<void> {
		if (!this.#timer) return;
		clearTimeout(this.#timer);
		this.#timer = undefined;
		try {
			await this.#kept.keep([
				...this.#passing.values(),
				...this.#lasting.values(),
			]);
		} catch (err) {
			this.#keepLater();
			this.#log.warn({ err }, "failed to write when tokens were used");
		}
	}

	#set(use: TokenUse): void {
		this.#passing.delete(use.id);
		this.#lasting.delete(use.id);
		// versions before did not say: most of them are of tokens that have ended, and would push out all of the others for ever
		const { isPassing = true } = use;
		(isPassing ? this.#passing : this.#lasting).set(use.id, use);
	}

	#keepLater(): void {
		this.#timer ??= setTimeout(() => void this.keep(), keepMs).unref();
	}
}

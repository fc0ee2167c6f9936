/**
 * The legs that one connection has in a call: one, or both, as two channels of its audio or as two tracks. Each gets its own audio, and the socket is held
 * while one of them has to wait.
 */
import { ChannelCutter } from "../../audio/channel-cutter.js";
import { codecOf } from "../../audio/container.js";
import type { LegInCall } from "../../calls/call.js";
import type { Calls } from "../../calls/calls.js";
import { CodedError } from "../../errors.js";
import type { Owner } from "../../owner.js";
import { formatOf } from "../../session/audio-source.js";
import type { Utterance } from "../../session/events.js";
import type { LiveSocket } from "../live-socket.js";
import type { WantedCall } from "./call-options.js";
import type { Track } from "./dialect.js";

export interface CallCaller {
	readonly owner: Owner;
	/** Whose share of the slots its legs take. */
	readonly sharer: Owner;
}

export interface ConnectionLegsParts {
	readonly calls: Pick<Calls, "join">;
	readonly caller: CallCaller;
	readonly wanted: WantedCall;
	readonly socket: Pick<LiveSocket, "hold" | "release">;
	/** A final of a leg, or a partial where they are wanted. */
	readonly onUtterance: (
		leg: LegInCall,
		is: "partial" | "final",
		utterance: Utterance,
	) => void;
	/** One of them has ended, and the connection with it. */
	readonly onFailed: (error: CodedError) => void;
}

type Key = Track | "first" | "second";

export class ConnectionLegs {
	readonly #parts: ConnectionLegsParts;
	readonly #legs = new Map<Key, LegInCall>();
	#cutter: ChannelCutter | undefined;
	#isHeld = false;

	constructor(parts: ConnectionLegsParts) {
		this.#parts = parts;
	}

	/** For a connection whose frames are audio alone. @throws CodedError */
	joinChannels(partials: boolean): void {
		const { wanted } = this.#parts;
		const { width, channels, apart } = wanted.audio;
		this.#cutter = new ChannelCutter(width, channels);
		this.#join("first", apart ? "1" : wanted.leg, partials);
		if (apart) this.#join("second", "2", partials);
	}

	/** @param bytes of all channels. */
	acceptChannels(bytes: Uint8Array): void {
		const apart = this.#cutter?.accept(bytes) ?? [];
		for (const [at, key] of (["first", "second"] as const).entries()) {
			const own = apart[at];
			if (own) this.#legs.get(key)?.accept(own);
		}
		this.#holdOrRelease();
	}

	/** A track joins the call with its first audio. @throws CodedError */
	acceptTrack(track: Track, bytes: Uint8Array): void {
		const leg = this.#legs.get(track) ?? this.#joinTrack(track);
		leg.accept(bytes);
		this.#holdOrRelease();
	}

	#joinTrack(track: Track): LegInCall {
		const given = this.#parts.wanted.leg;
		if (given !== undefined && this.#legs.size > 0)
			throw new CodedError(
				"200002",
				"leg can't be given with both tracks of a call: each is a leg of its own",
			);
		return this.#join(track, given ?? (track === "inbound" ? "1" : "2"));
	}

	/** Resolves when the last finals were emitted. */
	async leave(): Promise<void> {
		await Promise.all([...this.#legs.values()].map((it) => it.leave()));
	}

	/** @throws CodedError */
	#join(key: Key, name: string | undefined, partials = false): LegInCall {
		const { caller, onUtterance, onFailed } = this.#parts;
		const { call, audio, recognition, transcript } = this.#parts.wanted;
		const others = this.#legs.values().next().value;
		const callName = call ?? others?.place.call;
		const { format, sampleRateHz: rateHz } = formatOf(audio);
		const leg: LegInCall = this.#parts.calls.join({
			...caller,
			caller: caller.sharer,
			...(callName !== undefined && { call: callName }),
			...(name !== undefined && { leg: name }),
			recognition,
			transcript,
			format: { codec: codecOf(format), rateHz },
			listener: {
				onUtterance: (is, utterance) => {
					if (is === "final" || partials) onUtterance(leg, is, utterance);
				},
				onRoom: () => this.#holdOrRelease(),
				onFailed,
			},
		});
		this.#legs.set(key, leg);
		return leg;
	}

	#holdOrRelease(): void {
		const mustWait = [...this.#legs.values()].some((it) => it.mustWait);
		if (mustWait === this.#isHeld) return;
		this.#isHeld = mustWait;
		if (mustWait) this.#parts.socket.hold();
		else this.#parts.socket.release();
	}
}

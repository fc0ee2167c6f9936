/**
 * One AudioSocket connection: a leg of the call that its UUID names. Nothing is ever sent back, and nothing that goes wrong here closes it: the dialplan would end
 * with it.
 */
import { ChannelCutter } from "../../audio/channel-cutter.js";
import type { LegInCall } from "../../calls/call.js";
import type { Calls } from "../../calls/calls.js";
import type { LegListener } from "../../calls/seats.js";
import { asCodedError, type CodedError, successStatus } from "../../errors.js";
import type { Logger } from "../../log/log.js";
import { anonymousOwner, type Owner } from "../../owner.js";
import {
	type CallOptionSources,
	readCallOptions,
	wantedCall,
} from "../calls/call-options.js";
import type { Peer, PeerHandler } from "../listeners/peer.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import {
	AudioSocketDecoder,
	type AudioSocketFrame,
	frameKinds,
	rateHzByKind,
} from "./frame-decoder.js";
import { NoiseAdvice } from "./noise-advice.js";

export interface AudioSocketParts {
	readonly calls: Pick<Calls, "join">;
	readonly sources: CallOptionSources;
	/** `audiosocket.language` */
	readonly language: string;
	/** `calls.partials` */
	readonly partials: boolean;
	/** Whose share of the slots it takes. */
	readonly caller: Owner;
	readonly measured: MeasuredRequest;
	readonly log: Logger;
}

type Phase =
	| { readonly is: "waiting" }
	| { readonly is: "named"; readonly uuid: string }
	| { readonly is: "joined"; readonly leg: LegInCall; readonly rateHz: number }
	/** It can't be recognized, or has hung up: its audio is dropped. */
	| { readonly is: "deaf" };

const uuidBytes = 16;
const bytesPerSample = 2;
/** Asterisk has three; each is logged once, however often it comes. */
const loggedErrorsMax = 8;
const advice =
	"loud noise without speech for 5 s: Asterisk may be sending another format than it says; dial the AudioSocket channel with c(slin)";

export class AudioSocketSession implements PeerHandler {
	readonly #parts: AudioSocketParts;
	readonly #peer: Peer;
	readonly #decoder = new AudioSocketDecoder();
	readonly #samples = new ChannelCutter(bytesPerSample, 1);
	readonly #advice = new NoiseAdvice();
	#phase: Phase = { is: "waiting" };
	#leg: LegInCall | undefined;
	#audioSeconds = 0;
	#status = "gone";
	#hasWarned = false;
	readonly #loggedErrors = new Set<number | undefined>();
	/** By us: nothing that still comes counts. */
	#isClosed = false;

	constructor(parts: AudioSocketParts, peer: Peer) {
		this.#parts = parts;
		this.#peer = peer;
	}

	onBytes(bytes: Uint8Array): void {
		if (this.#isClosed) return;
		for (const frame of this.#decoder.accept(bytes)) {
			if (!this.#mayBegin(frame.kind)) return;
			const rateHz = rateHzByKind.get(frame.kind);
			if (rateHz === undefined) this.#onFrame(frame);
			else if (frame.payload.length > 0) this.#onAudio(frame.payload, rateHz);
		}
		if (!this.#mayBegin(this.#decoder.begun)) return;
		if (this.#leg?.mustWait) this.#peer.hold();
	}

	/** Asterisk has hung up. */
	onEnd(): void {
		this.#status = successStatus;
		void this.#leave().then(() => this.#peer.close());
	}

	onClosed(): void {
		void this.#leave().then(() => {
			this.#parts.measured.audioRecognized(this.#audioSeconds);
			this.#parts.measured.ended(this.#status);
		});
	}

	leave(): void {
		this.#status = "100004";
		void this.#leave().then(() => this.#peer.close());
	}

	/** The first frame is a UUID, or this is something else: a frame of its kind may have said that it is long. */
	#mayBegin(kind: number | undefined): boolean {
		if (this.#phase.is !== "waiting" || kind === undefined) return true;
		if (kind === frameKinds.uuid) return true;
		this.#refuse("no AudioSocket: it did not begin with a UUID");
		return false;
	}

	#refuse(why: string): void {
		this.#parts.log.debug(why);
		this.#phase = { is: "deaf" };
		this.#status = "230001";
		this.#isClosed = true;
		this.#peer.close();
	}

	#onFrame({ kind, payload }: AudioSocketFrame): void {
		if (kind === frameKinds.hangUp) {
			this.#status = successStatus;
			void this.#leave();
		} else if (kind === frameKinds.uuid && this.#phase.is === "waiting") {
			if (payload.length === uuidBytes)
				this.#phase = { is: "named", uuid: uuidText(payload) };
			else this.#refuse("no AudioSocket: its UUID has not 16 bytes");
		} else if (kind === frameKinds.error) this.#logError(payload[0]);
	}

	#logError(code: number | undefined): void {
		const logged = this.#loggedErrors;
		if (logged.has(code) || logged.size >= loggedErrorsMax) return;
		logged.add(code);
		this.#parts.log.warn({ code }, "Asterisk reports an error");
	}

	#onAudio(payload: Uint8Array, rateHz: number): void {
		if (this.#phase.is === "named") this.#join(this.#phase.uuid, rateHz);
		const phase = this.#phase;
		if (phase.is !== "joined") return;
		if (phase.rateHz !== rateHz) {
			if (!this.#hasWarned)
				this.#parts.log.warn(
					{ rateHz, before: phase.rateHz },
					"the rate of a call's audio has changed: the rest is dropped",
				);
			this.#hasWarned = true;
			return;
		}
		const [samples = new Uint8Array(0)] = this.#samples.accept(payload);
		this.#parts.measured.audioBegan();
		this.#audioSeconds += samples.length / bytesPerSample / rateHz;
		phase.leg.accept(samples);
		if (this.#advice.accept(samples, rateHz)) this.#parts.log.warn(advice);
	}

	#join(uuid: string, rateHz: number): void {
		const { calls, caller, sources, language, partials } = this.#parts;
		const listener: LegListener = {
			onSpeech: () => this.#advice.onSpeech(),
			onUtterance: () => this.#parts.measured.text(),
			onRoom: () => this.#peer.release(),
			onFailed: (error) => this.#fail(error),
		};
		try {
			const options = readCallOptions(
				new Map([
					["lang_type", language],
					["rate", String(rateHz)],
				]),
			);
			const { recognition, transcript } = wantedCall(
				options,
				partials,
				sources,
			);
			const leg = calls.join({
				call: uuid,
				owner: anonymousOwner,
				caller,
				listener,
				recognition,
				transcript,
				format: { codec: "s16", rateHz },
			});
			this.#leg = leg;
			this.#phase = { is: "joined", leg, rateHz };
		} catch (thrown) {
			this.#fail(asCodedError(thrown));
		}
	}

	#fail(error: CodedError): void {
		this.#phase = { is: "deaf" };
		this.#status = error.status;
		this.#peer.release();
		this.#parts.log.warn(
			{
				why: error.message,
				...(error.cause !== undefined && { err: error.cause }),
			},
			"a call is not recognized",
		);
	}

	async #leave(): Promise<void> {
		this.#phase = { is: "deaf" };
		await this.#leg?.leave();
	}
}

function uuidText(bytes: Uint8Array): string {
	const hex = Buffer.from(bytes).toString("hex");
	return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

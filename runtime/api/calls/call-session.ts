/**
 * One connection with audio of a call (its legs: connection-legs.ts): who it is of, when it begins and ends, and what it is sent. The dialect says what its
 * frames mean.
 */
import type { LegInCall } from "../../calls/call.js";
import type { Calls } from "../../calls/calls.js";
import {
	asCodedError,
	CodedError,
	serverStopping,
	successStatus,
} from "../../errors.js";
import type { Logger } from "../../log/log.js";
import { secondsOf } from "../../session/audio-source.js";
import type { Utterance } from "../../session/events.js";
import { type Arrived, Inbox } from "../feed/inbox.js";
import { SocketHolds } from "../feed/socket-holds.js";
import type { LiveSocket, SocketListener } from "../live-socket.js";
import type { MeasuredRequest } from "../metrics/endpoints.js";
import { CallAnswers } from "./call-answers.js";
import {
	type CallOptionSources,
	givenOptions,
	readCallOptions,
	type WantedCall,
	wantedCall,
} from "./call-options.js";
import { type CallCaller, ConnectionLegs } from "./connection-legs.js";
import type { CallMessage, CallStart, Dialect, Track } from "./dialect.js";
import { dialectOf } from "./dialect-of.js";
import { readFrame, type TextFrame } from "./text-object.js";

export interface CallSessionParts {
	readonly calls: Pick<Calls, "join">;
	readonly sources: CallOptionSources;
	/** Of the upgrade, without the question mark. */
	readonly query: string;
	/** Undefined: it sent no credentials, and may do so in its first messages. */
	readonly caller: CallCaller | undefined;
	/** @throws CodedError 110002, 110003 */
	readonly identify: (token: string) => CallCaller;
	/** `calls.public` */
	readonly isPublic: boolean;
	/** `calls.partials` */
	readonly partials: boolean;
	/** Time in which the first frame must come. */
	readonly startSeconds: number;
	readonly unreadBytesMax: number;
	readonly log: Logger;
	readonly measured: MeasuredRequest;
	/** Its legs have left. */
	readonly onOver: () => void;
}

type Phase = "waiting" | "joined" | "leaving" | "over";

/** Of one text frame. */
const textUnitsMax = 64 * 1024;

export class CallSession implements SocketListener {
	readonly #parts: CallSessionParts;
	readonly #socket: LiveSocket;
	readonly #answers: CallAnswers;
	readonly #holds: SocketHolds;
	readonly #inbox: Inbox;
	#phase: Phase = "waiting";
	#dialect: Dialect | undefined;
	#caller: CallCaller | undefined;
	#wanted: WantedCall | undefined;
	#legs: ConnectionLegs | undefined;
	#bytes = 0;
	#startTimer: NodeJS.Timeout | undefined;

	constructor(parts: CallSessionParts, socket: LiveSocket) {
		this.#parts = parts;
		this.#socket = socket;
		this.#caller = parts.caller;
		this.#answers = new CallAnswers(socket, parts.log);
		this.#holds = new SocketHolds(socket);
		this.#inbox = new Inbox({
			handle: (message) => this.#read(message),
			refuse: (error) => this.refuse(error),
			socket: this.#holds.heldBy("inbox"),
		});
		this.#startTimer = setTimeout(
			() => this.#inbox.behind(() => this.#onLate()),
			parts.startSeconds * 1000,
		);
	}

	onText(text: string): void {
		this.#inbox.accept(text);
	}

	onBinary(bytes: Uint8Array): void {
		this.#inbox.accept(bytes);
	}

	/** The socket is closed: speech that has come is still recognized. */
	onClosed(): void {
		this.#answers.closed();
		this.#inbox.behind(() => this.#onGone());
	}

	#onGone(): void {
		const isHere = this.#phase !== "over";
		this.#phase = "over";
		clearTimeout(this.#startTimer);
		void this.#leave().finally(() => {
			if (isHere) this.#measureEnd("gone");
			this.#parts.onOver();
		});
	}

	/** Tells it why, and closes. */
	refuse(error: CodedError): void {
		if (this.#phase === "over") return;
		this.#answers.logRefusal(error);
		this.#end(error.status);
		this.#answers.refusal(error);
	}

	/** The server is stopping: what was said is still sent. */
	async shutDown(): Promise<void> {
		await new Promise<void>((done) => this.#inbox.behind(done));
		await this.#leave();
		if (this.#phase === "over") return;
		const stopping = serverStopping();
		this.#end(stopping.status);
		this.#answers.refusal(stopping);
	}

	#onLate(): void {
		if (this.#phase === "waiting")
			this.refuse(new CodedError("230002", "no audio came in time"));
	}

	get #takesMessages(): boolean {
		return this.#phase === "waiting" || this.#phase === "joined";
	}

	/** @returns a promise where it takes longer than a moment. */
	#read(message: Arrived): Promise<void> | undefined {
		if (!this.#takesMessages) return undefined;
		if (typeof message !== "string") this.#guard(() => this.#onBytes(message));
		else if (message.length > textUnitsMax)
			this.refuse(
				new CodedError("200004", "a text frame must be at most 64 KiB"),
			);
		else if (!this.#dialect?.ignoresTexts)
			return readFrame(message, (it) => this.#guard(() => this.#onFrame(it)));
		return undefined;
	}

	#onFrame(frame: TextFrame): void {
		this.#dialect ??= this.#admitted(dialectOf(frame));
		this.#handle(this.#dialect.read(frame));
	}

	#onBytes(bytes: Uint8Array): void {
		if (!this.#dialect) {
			this.#dialect = this.#admitted(dialectOf(undefined));
			this.#handle(this.#dialect.read({ text: "", object: undefined }));
		}
		const { sendsBinary, endsWithEmptyFrame } = this.#dialect;
		if (bytes.length === 0 && endsWithEmptyFrame && this.#bytes > 0)
			void this.#stop();
		else if (sendsBinary) this.#onAudio(bytes);
	}

	#guard(act: () => void): void {
		if (!this.#takesMessages) return;
		try {
			act();
		} catch (thrown) {
			this.refuse(asCodedError(thrown));
		}
	}

	/** @throws CodedError 110001, 110003 */
	#admitted(dialect: Dialect): Dialect {
		if (dialect.name === "twilio" && !this.#parts.isPublic)
			throw new CodedError(
				"110003",
				"calls from the internet are not taken here (calls.public)",
			);
		if (dialect.name !== "twilio" && !this.#caller)
			throw new CodedError("110001");
		this.#answers.useDialect(dialect);
		return dialect;
	}

	#handle(message: CallMessage): void {
		switch (message.is) {
			case "start":
				this.#start(message.start);
				return;
			case "audio":
				if (this.#wanted)
					this.#onTrack(message.leg ?? "inbound", message.bytes);
				return;
			case "stop":
				void this.#stop();
				return;
			case "nothing":
		}
	}

	/** @throws CodedError */
	#start(start: CallStart): void {
		this.#caller ??= this.#parts.identify(start.token ?? "");
		const values = readCallOptions(givenOptions(start, this.#parts.query));
		const partials = start.interim ?? values.interim ?? false;
		const wanted = wantedCall(
			values,
			partials || this.#parts.partials,
			this.#parts.sources,
		);
		this.#wanted = wanted;
		this.#phase = "joined";
		clearTimeout(this.#startTimer);
		this.#legs = new ConnectionLegs({
			calls: this.#parts.calls,
			caller: this.#caller,
			wanted,
			socket: this.#holds.heldBy("legs"),
			onUtterance: (leg, is, utterance) =>
				this.#sendUtterance(leg, is, utterance),
			onFailed: (error) => this.refuse(error),
		});
		if (this.#dialect?.sendsBinary) this.#legs.joinChannels(partials);
	}

	#onAudio(bytes: Uint8Array): void {
		this.#countAudio(bytes);
		this.#legs?.acceptChannels(bytes);
	}

	#onTrack(track: Track, bytes: Uint8Array): void {
		this.#countAudio(bytes);
		this.#legs?.acceptTrack(track, bytes);
	}

	#countAudio(bytes: Uint8Array): void {
		this.#parts.measured.audioBegan();
		this.#bytes += bytes.length;
	}

	/** No more audio comes: the last results, then this side closes. */
	async #stop(): Promise<void> {
		this.#phase = "leaving";
		this.#parts.measured.audioEnded();
		await this.#leave();
		if ((this.#phase as Phase) === "over") return;
		this.#parts.measured.final();
		this.#end(successStatus);
		this.#answers.end();
	}

	async #leave(): Promise<void> {
		await this.#legs?.leave();
	}

	#sendUtterance(
		leg: LegInCall,
		is: "partial" | "final",
		utterance: Utterance,
	): void {
		if (!this.#answers.listens || this.#phase === "over") return;
		this.#parts.measured.text();
		this.#answers.transcription(leg, is, utterance);
		if (this.#socket.unreadBytes > this.#parts.unreadBytesMax)
			this.refuse(
				new CodedError("230001", "results are not read: the connection closes"),
			);
	}

	/** @param status that the client gets. */
	#end(status: string): void {
		this.#phase = "over";
		clearTimeout(this.#startTimer);
		this.#measureEnd(status);
	}

	#measureEnd(status: string): void {
		const { measured } = this.#parts;
		if (this.#wanted)
			measured.audioRecognized(secondsOf(this.#wanted.audio, this.#bytes));
		measured.ended(status);
	}
}

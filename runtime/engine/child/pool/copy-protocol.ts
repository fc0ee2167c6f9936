/**
 * What an engine and a process with a further copy of its recognizer say to each other, over `child_process` IPC with `serialization: "advanced"`.
 *
 * - `load` is answered by `ready` or `broken`.
 * - `hear` is answered by `heard` or `failed`, one after the other in the order in which they were asked for; meanwhile `alive` comes between the decoder's
 *   steps, and `cancel` may go the other way.
 * - Either side that dies closes the channel: the other one is told.
 */
import type {
	HotwordOptions,
	Hypothesis,
	SegmentRequest,
} from "../../../models/recognizer.js";
import type { WordList } from "../../../words/word-list.js";
import type { CoreSettings } from "../../protocol.js";

export type CopySettings = Pick<
	CoreSettings,
	"modelFolder" | "threads" | "processor" | "customProviders" | "distrusted"
>;

/** A list of words goes beside the requests, and only when it is another than before. */
export type SentRequest = Omit<
	SegmentRequest,
	"cancelled" | "segmentKey" | "hotwords"
> & {
	readonly hotwordsWeight: HotwordOptions["weight"] | undefined;
};

export type ToCopy =
	| { readonly is: "load"; readonly settings: CopySettings }
	| {
			readonly is: "hear";
			/** Another one for each. */
			readonly id: number;
			readonly requests: readonly SentRequest[];
			/** For these requests and those that come, until there is another. */
			readonly list: WordList | undefined;
	  }
	/** Nobody wants the answer to this one of the requests any more. */
	| { readonly is: "cancel"; readonly id: number; readonly index: number };

export type FromCopy =
	| { readonly is: "ready" }
	| { readonly is: "broken"; readonly message: string }
	| { readonly is: "alive" }
	| {
			readonly is: "heard";
			readonly id: number;
			readonly results: readonly (Hypothesis | "cancelled")[];
	  }
	| { readonly is: "failed"; readonly id: number; readonly message: string };

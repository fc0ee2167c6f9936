/**
 * Messages between an engine and a process with a further copy of its recognizer, over `child_process` IPC with `serialization: "advanced"`.
 *
 * - `load` is answered by `ready` or `broken`; `broken` is also sent later, when the model of a language fails.
 * - `recognize` is answered by `recognized` or `failed`, in the order of the requests; meanwhile `alive` is sent between decoder
 *   steps, and the engine may send `cancel`.
 * - `refinement-failed` is sent for each text of the running batch for which the second ear failed.
 * - If either side dies the channel closes, which notifies the other.
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
	| "modelFolder"
	| "languageFolders"
	| "secondEarFolder"
	| "threads"
	| "processor"
	| "customProviders"
	| "kernels"
	| "distrusted"
>;

/** Word lists are sent beside the requests, and only those that the copy does not have. */
export type SentRequest = Omit<
	SegmentRequest,
	"cancelled" | "segmentKey" | "hotwords"
> & {
	readonly hotwords:
		| (Pick<HotwordOptions, "weight"> & Pick<WordList, "key">)
		| undefined;
};

export type ToCopy =
	| { readonly is: "load"; readonly settings: CopySettings }
	| {
			readonly is: "recognize";
			/** Unique for each batch. */
			readonly id: number;
			readonly requests: readonly SentRequest[];
			/** Those of these requests, kept for later ones until others are sent; undefined: the copy has all that these requests name. */
			readonly lists: readonly WordList[] | undefined;
	  }
	/** The result of this request is no longer wanted. */
	| { readonly is: "cancel"; readonly id: number; readonly index: number };

export type FromCopy =
	| { readonly is: "ready" }
	| { readonly is: "broken"; readonly message: string }
	| { readonly is: "alive" }
	| { readonly is: "refinement-failed"; readonly message: string }
	| {
			readonly is: "recognized";
			readonly id: number;
			readonly results: readonly (Hypothesis | "cancelled")[];
	  }
	| { readonly is: "failed"; readonly id: number; readonly message: string };

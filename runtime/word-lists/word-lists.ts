/** Composes the stored word lists: the services of their endpoints, the lookup for recognitions, and the tracking of their use. */
import type { Logger } from "../log/log.js";
import type { Lane } from "../session/lane-port.js";
import { ListHoldingLane } from "../session/list-holding-lane.js";
import type { ListNames } from "../session/options.js";
import type { Store } from "../store/open-store.js";
import type { CorrectionLimits } from "../words/correction.js";
import type { ListKind } from "../words/list-key.js";
import { ListUsage } from "../words/list-usage.js";
import { type DefaultingWords, EndpointWords } from "./endpoint-words.js";
import { KeywordExtractor } from "./keyword-extractor.js";
import { wordListKinds } from "./kinds.js";
import { StoredWords, type WordSource } from "./references.js";
import { WordListService } from "./service.js";
import {
	type ListUse,
	names,
	type ReferringMicrophone,
	usesOf,
} from "./uses.js";

export interface WordListsParts {
	readonly store: Pick<
		Store,
		"hotwords" | "correctionWords" | "forbiddenWords"
	>;
	/** `hotwords.categories` */
	readonly categories: readonly string[];
	readonly corrections: CorrectionLimits;
	readonly lane: Lane;
	/** Those of the configuration in force; absent: none. */
	readonly microphones?: () => readonly ReferringMicrophone[];
	/** Called for each of them that names a list whose entries have changed. */
	readonly renewMicrophone?: (id: string) => void;
	/** Lists of `endpoints.*` in force; absent: none. */
	readonly endpointLists?: () => ListNames;
	readonly log: Logger;
}

const listKinds: readonly ListKind[] = [
	"hotwords",
	"correction-words",
	"forbidden-words",
];

export class WordLists {
	readonly services: readonly WordListService[];
	readonly source: WordSource;
	/** For clients whose protocol can't name lists. */
	readonly endpointSource: DefaultingWords;
	/** Recognitions on this lane hold the lists that they use. */
	readonly lane: Lane;
	/** What uses the lists; those that nothing uses are left out. */
	readonly uses: () => readonly ListUse[];
	readonly #extractor = new KeywordExtractor();

	constructor(parts: WordListsParts) {
		const { store, categories, lane, log } = parts;
		const usage = new ListUsage();
		const kinds = wordListKinds(categories, parts.corrections);
		const repositories = {
			hotwords: store.hotwords,
			"correction-words": store.correctionWords,
			"forbidden-words": store.forbiddenWords,
		};
		const { microphones = () => [], renewMicrophone = () => {} } = parts;
		this.services = listKinds.map(
			(kind) =>
				new WordListService({
					kind: kinds[kind],
					repository: repositories[kind],
					usage,
					extractor: this.#extractor,
					onChanged: (row) => {
						for (const microphone of microphones())
							if (names(microphone, kind, row)) renewMicrophone(microphone.id);
					},
				}),
		);
		const stored = new StoredWords({
			kinds,
			repositories,
			usage,
			categories,
			log,
		});
		this.source = stored;
		const { endpointLists = () => ({}) } = parts;
		this.endpointSource = new EndpointWords({
			stored,
			names: endpointLists,
			log,
		});
		this.lane = new ListHoldingLane(lane, usage);
		this.uses = () => {
			const configured = {
				microphones: microphones(),
				endpoints: endpointLists(),
			};
			return listKinds.flatMap((kind) =>
				usesOf(kind, repositories[kind].list(), usage, configured),
			);
		};
	}

	/** Ends the keyword process. */
	close(): Promise<void> {
		return this.#extractor.close();
	}
}

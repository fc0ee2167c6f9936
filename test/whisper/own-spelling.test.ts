/** Other texts as tokens beside Whisper's own ones. */
import t from "tap";
import {
	isTraditional,
	OwnSpelling,
} from "../../runtime/models/whisper/own-spelling.js";
import { WhisperTokenizer } from "../../runtime/models/whisper/tokenizer.js";
import { missing, modelDirectory, readRanks } from "./packages.js";

const skip = missing(modelDirectory);

t.test(
	"a text has Whisper's own tokens where it is the same, and new ones elsewhere",
	{ skip },
	async (t) => {
		const tokenizer = new WhisperTokenizer(readRanks(modelDirectory));
		const written = (own: string, text: string, inTraditional?: boolean) => {
			const tokens = tokenizer.encode(own);
			const spelling = new OwnSpelling(tokenizer, tokens, inTraditional);
			return tokenizer.decode(spelling.encode(text));
		};
		const own = "各國都渴望避免重打負責";
		t.equal(written(own, "各国都渴望避免重打负责"), own);
		const wanted = "各国都渴望避免重蹈覆辙";
		t.equal(written(own, wanted), "各國都渴望避免重蹈覆辙");
		t.equal(written(own, wanted, true), "各國都渴望避免重蹈覆轍");
		t.ok(isTraditional([...own]));
		for (const text of ["各国都渴望避免", "他避免重打", "乾隆", ""])
			t.notOk(isTraditional([...text]), text);
	},
);

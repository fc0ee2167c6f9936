/** Words: the lists of a kind, or one of them. */
import { place } from "../../app/router.js";
import { may } from "../../app/session.js";
import { Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { ListEditor } from "./list-editor.js";
import { Lists } from "./lists.js";
import { type ListKind, listKinds } from "./texts.js";

export function WordsPage() {
	if (!may("hotwords"))
		return <Problem>{common().forbidden("hotwords")}</Problem>;
	const [, named = "", id] = place.value;
	const kind: ListKind = listKinds.find((it) => it === named) ?? "hotwords";
	return id ? (
		<ListEditor key={id} kind={kind} id={id} />
	) : (
		<Lists kind={kind} />
	);
}

/** Files: the list, or the transcript of one. */
import { place } from "../../app/router.js";
import { may } from "../../app/session.js";
import { Problem } from "../../parts/notice.js";
import { common } from "../../texts/common.js";
import { FileList } from "./file-list.js";
import { TranscriptView } from "./transcript-view.js";

export function FilesPage() {
	const id = place.value[1];
	if (!may("files")) return <Problem>{common().forbidden("files")}</Problem>;
	return id ? <TranscriptView key={id} id={id} /> : <FileList />;
}

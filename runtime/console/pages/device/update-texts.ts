import { texts } from "../../texts/texts.js";

export const updateTexts = texts({
	en: {
		title: "Update",
		installed: "Installed",
		trial: "Update",
		onTrial: (to: string, from: string) =>
			`${to} is on trial; ${from} comes back if it is not healthy`,
		noTrial: "none is under way",
		previous: "Previous version",
		kept: "kept; earshot update --rollback on the device goes back to it",
		notKept: "none",
		refused: (version: string, at: string) =>
			`${version} was rolled back, ${at}.`,
		checkout: "This program is not the executable: git or npm updates it.",
		check: "Look for an update",
		checking: "Looking",
		newer: (version: string, size: string) =>
			`${version || "Another version"}${size} is offered. earshot update on the device installs it.`,
		changes: "What it changes",
		noNotes: "Whoever offers it has written nothing about that.",
		none: "This version is the newest that is offered.",
		failed: "What is offered can't be accepted:",
		notConfigured:
			"No place is configured where updates are offered: update.from.",
	},
	zh: {
		title: "更新",
		installed: "已安装",
		trial: "更新",
		onTrial: (to: string, from: string) =>
			`正在试用 ${to}；若不正常则恢复 ${from}`,
		noTrial: "没有进行中的更新",
		previous: "上一版本",
		kept: "已保留；在设备上输入 earshot update --rollback 可恢复",
		notKept: "无",
		refused: (version: string, at: string) => `${version} 已于 ${at} 被回退。`,
		checkout: "本程序不是打包好的可执行文件，请用 git 或 npm 更新。",
		check: "查找更新",
		checking: "正在查找",
		newer: (version: string, size: string) =>
			`${version || "另一个版本"}${size} 可用。在设备上输入 earshot update 即可安装。`,
		changes: "更新内容",
		noNotes: "发布者没有提供说明。",
		none: "当前已是所提供的最新版本。",
		failed: "无法接受所提供的版本：",
		notConfigured: "未配置更新来源：update.from。",
	},
	ja: {
		title: "更新",
		installed: "インストール済み",
		trial: "更新",
		onTrial: (to: string, from: string) =>
			`${to} を試用中です。正常でなければ ${from} に戻ります`,
		noTrial: "進行中の更新はありません",
		previous: "前のバージョン",
		kept: "保存済み。本体で earshot update --rollback と入力すると戻ります",
		notKept: "なし",
		refused: (version: string, at: string) =>
			`${version} は元に戻されました（${at}）。`,
		checkout:
			"このプログラムは実行ファイルではありません。git か npm で更新します。",
		check: "更新を探す",
		checking: "探しています",
		newer: (version: string, size: string) =>
			`${version || "別のバージョン"}${size} があります。本体で earshot update と入力するとインストールされます。`,
		changes: "変更点",
		noNotes: "提供元の説明はありません。",
		none: "提供されている中で最新のバージョンです。",
		failed: "提供されている更新は受け入れられません：",
		notConfigured: "更新の提供元が設定されていません：update.from。",
	},
});

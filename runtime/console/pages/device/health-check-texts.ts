/** What a health check says, by its code: the device itself says it in English only. A code that lacks a text does not compile. */
import type { HealthCode } from "../../../api/health.js";

/** What differs from case to case, as the language writes it; empty: not known. */
export interface ShownValues {
	/** What the clock shows, or when the backup was made. */
	readonly at: string;
	/** What time it is at least. */
	readonly certain: string;
	readonly seconds: string;
	readonly minutes: string;
}

export type HealthCheckTexts = Readonly<
	Record<HealthCode, (values: ShownValues) => string>
>;

const en: HealthCheckTexts = {
	"engine-ready": () => "recognized its probe clip correctly",
	"engine-starting": () => "is starting",
	"engine-on-demand": () => "starts when it is needed",
	"engine-not-started": () => "was not started",
	"engine-dying": ({ seconds }) =>
		`keeps dying; the next try is in ${seconds} s`,
	"engine-stopped": () => "was stopped",
	"database-writes": () => "what is written reaches the disk",
	"database-stuck": () =>
		"a write was not confirmed in time; restart the program",
	"database-full": () =>
		"the disk is full: nothing can be stored until there is room",
	"backup-made": ({ at }) => `made ${at}`,
	"backup-none": () => "none made yet",
	"backup-skipped": ({ at }) =>
		at === ""
			? "none made yet; the one that was due was not made"
			: `made ${at}; the one that was due since was not made`,
	"clock-synchronised": () => "synchronised",
	"clock-plausible": () =>
		"not synchronised; it agrees with the time that has passed since the last start",
	"clock-before-build": ({ at, certain }) =>
		`shows ${at}, before this program was built (${certain})`,
	"clock-jumped": ({ minutes }) =>
		`jumped by more than a day: nothing is deleted by age for another ${minutes} min`,
	"clock-behind": ({ at, certain }) =>
		`shows ${at}, but it is at least ${certain}; not synchronised`,
};

const zh: HealthCheckTexts = {
	"engine-ready": () => "正确识别了自检音频",
	"engine-starting": () => "正在启动",
	"engine-on-demand": () => "需要时启动",
	"engine-not-started": () => "未启动",
	"engine-dying": ({ seconds }) => `反复崩溃，${seconds} 秒后再次尝试`,
	"engine-stopped": () => "已停止",
	"database-writes": () => "数据正常写入磁盘",
	"database-stuck": () => "有一次写入未及时确认，请重启程序",
	"database-full": () => "磁盘已满，腾出空间之前无法保存任何数据",
	"backup-made": ({ at }) => `备份于 ${at}`,
	"backup-none": () => "尚无备份",
	"backup-skipped": ({ at }) =>
		at === ""
			? "尚无备份，到期的备份未能完成"
			: `备份于 ${at}，此后到期的备份未能完成`,
	"clock-synchronised": () => "已同步",
	"clock-plausible": () => "未同步，但与上次启动以来经过的时间相符",
	"clock-before-build": ({ at, certain }) =>
		`显示 ${at}，早于本程序的构建时间（${certain}）`,
	"clock-jumped": ({ minutes }) =>
		`跳变超过一天：${minutes} 分钟内不按时间删除数据`,
	"clock-behind": ({ at, certain }) =>
		`显示 ${at}，而实际至少是 ${certain}，且未同步`,
};

const ja: HealthCheckTexts = {
	"engine-ready": () => "確認用の音声を正しく認識しました",
	"engine-starting": () => "起動しています",
	"engine-on-demand": () => "必要なときに起動します",
	"engine-not-started": () => "起動していません",
	"engine-dying": ({ seconds }) =>
		`異常終了を繰り返しています。${seconds} 秒後に再試行します`,
	"engine-stopped": () => "停止しました",
	"database-writes": () => "書き込みはディスクに届いています",
	"database-stuck": () =>
		"書き込みが時間内に確認されませんでした。プログラムを再起動してください",
	"database-full": () =>
		"ディスクに空きがありません。空きができるまで何も保存できません",
	"backup-made": ({ at }) => `${at} に作成`,
	"backup-none": () => "まだありません",
	"backup-skipped": ({ at }) =>
		at === ""
			? "まだありません。予定のバックアップは作成されませんでした"
			: `${at} に作成。その後の予定のバックアップは作成されませんでした`,
	"clock-synchronised": () => "同期しています",
	"clock-plausible": () =>
		"同期していませんが、前回の起動からの経過時間と合っています",
	"clock-before-build": ({ at, certain }) =>
		`${at} を示していますが、このプログラムの作成（${certain}）より前です`,
	"clock-jumped": ({ minutes }) =>
		`1 日を超えて飛びました。あと ${minutes} 分は期限による削除をしません`,
	"clock-behind": ({ at, certain }) =>
		`${at} を示していますが、実際は少なくとも ${certain} で、同期していません`,
};

export const healthCheckTexts = { en, zh, ja };

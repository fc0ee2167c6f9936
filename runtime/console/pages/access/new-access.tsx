/** A new token or application; its secret is shown once. */
import { useSignal } from "@preact/signals";
import { data } from "../../app/api.js";
import { CopyButton } from "../../parts/copy-button.js";
import { pageAddress } from "../../parts/device-address.js";
import { Dialog } from "../../parts/dialog.js";
import { TextField } from "../../parts/fields.js";
import { FormDialog } from "../../parts/form-dialog.js";
import { Qr } from "../../parts/qr.js";
import { accessTexts, scopeText } from "./texts.js";

const scopes = ["asr", "hotwords", "files", "status", "admin"];
const daysUsual = "30";

export function NewAccess({
	kind,
	onClose,
}: {
	readonly kind: "token" | "app";
	readonly onClose: () => void;
}) {
	const m = accessTexts();
	const name = useSignal("");
	const chosen = useSignal<readonly string[]>(["asr", "hotwords", "files"]);
	const days = useSignal(daysUsual);
	const made = useSignal<readonly (readonly [string, string])[]>([]);
	const create = async () => {
		if (kind === "token") {
			const json = {
				name: name.value,
				scopes: chosen.value,
				days: Number(days.value),
			};
			const { token } = await data<{ token: string }>("v1/tokens", {
				method: "POST",
				json,
			});
			made.value = [[m.token, token]];
		} else {
			const json = { name: name.value };
			const app = await data<{ app_id: string; secret: string }>("v1/apps", {
				method: "POST",
				json,
			});
			made.value = [
				[m.appId, app.app_id],
				[m.secret, app.secret],
			];
		}
	};
	if (made.value.length > 0)
		return (
			<Dialog title={m.secretTitle} onClose={onClose}>
				<p>{m.secretHint}</p>
				{made.value.map(([label, secret]) => (
					<div key={label} class="stack-small">
						<h3>{label}</h3>
						<code class="secret">{secret}</code>
						<CopyButton text={() => secret} />
					</div>
				))}
				{kind === "token" && (
					<div class="codes">
						<Code text={made.value[0]?.[1] ?? ""} label={m.qr} />
						<Code text={pageAddress()} label={m.addressQr} />
					</div>
				)}
			</Dialog>
		);
	return (
		<FormDialog
			title={kind === "token" ? m.newToken : m.newApp}
			action={m.create}
			act={create}
			onClose={onClose}
		>
			<TextField
				label={m.name}
				text={name}
				hint={m.nameHint}
				required
				maxLength={100}
			/>
			{kind === "token" && (
				<>
					<fieldset>
						<legend class="label">{m.rights}</legend>
						{scopes.map((scope) => (
							<label key={scope} class="check">
								<input
									type="checkbox"
									checked={chosen.value.includes(scope)}
									onChange={(event) => {
										const without = chosen.value.filter((it) => it !== scope);
										chosen.value = event.currentTarget.checked
											? [...without, scope]
											: without;
									}}
								/>
								{scopeText(scope)}
							</label>
						))}
					</fieldset>
					<label class="field">
						<span>{m.days}</span>
						<input
							type="number"
							required
							min={1}
							max={36_500}
							value={days.value}
							onInput={(event) => {
								days.value = event.currentTarget.value;
							}}
						/>
					</label>
				</>
			)}
		</FormDialog>
	);
}

function Code({
	text,
	label,
}: {
	readonly text: string;
	readonly label: string;
}) {
	return (
		<figure class="stack-small">
			<Qr text={text} label={label} />
			<figcaption class="small">{label}</figcaption>
		</figure>
	);
}

/** The request that the page makes, for programs. */
import { useSignal } from "@preact/signals";
import { apiUrl, socketUrl } from "../../app/api.js";
import { CopyButton } from "../../parts/copy-button.js";
import { Dialog } from "../../parts/dialog.js";
import { requestOptions } from "../../parts/recognition-options.js";
import { shellQuoted } from "../../parts/shell-quoted.js";
import { Tabs } from "../../parts/tabs.js";
import { liveTexts } from "./texts.js";

const languages = { curl: "curl", javascript: "JavaScript", python: "Python" };

export function CodeDialog({ onClose }: { readonly onClose: () => void }) {
	const m = liveTexts();
	const chosen = useSignal<keyof typeof languages>("curl");
	const code = codeFor(chosen.value);
	return (
		<Dialog title={m.asCodeTitle} onClose={onClose}>
			<Tabs
				label={m.asCode}
				tabs={languages}
				chosen={chosen.value}
				onChoose={(it) => {
					chosen.value = it;
				}}
			/>
			<pre tabIndex={0}>
				<code>{code}</code>
			</pre>
			<p class="small">{m.asCodeHint}</p>
			<CopyButton text={() => code} />
		</Dialog>
	);
}

function codeFor(language: keyof typeof languages): string {
	const { hotwords_list, ...options } = requestOptions();
	const query = Object.fromEntries(
		Object.entries({
			...options,
			format: "wav",
			...(hotwords_list && { hotwords_list: JSON.stringify(hotwords_list) }),
		}).map(([name, value]) => [name, String(value)]),
	);
	const start = JSON.stringify(
		{
			header: { namespace: "SpeechTranscriber", name: "StartTranscription" },
			payload: { ...requestOptions(), format: "pcm" },
		},
		null,
		2,
	);
	switch (language) {
		case "curl":
			return `curl -H "Authorization: Bearer TOKEN" \\
  --data-binary @speech.wav \\
  ${shellQuoted(apiUrl("v1/asr/api", query))}`;
		case "javascript":
			return `const socket = new WebSocket(
  ${JSON.stringify(socketUrl("v1/asr/ws"))}, ["bearer.TOKEN"]);
socket.onopen = () => socket.send(JSON.stringify(${start}));
socket.onmessage = ({ data }) => console.log(JSON.parse(data));
// then send audio: 16-bit mono at 16 kHz, as ArrayBuffer`;
		case "python":
			return `import json, websockets.sync.client as ws
start = json.loads(${JSON.stringify(start)})
with ws.connect(${JSON.stringify(socketUrl("v1/asr/ws"))},
    additional_headers={"Authorization": "Bearer TOKEN"}) as socket:
    socket.send(json.dumps(start))
    # then send audio: 16-bit mono at 16 kHz, as bytes
    for message in socket:
        print(json.loads(message))`;
	}
}

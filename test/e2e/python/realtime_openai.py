"""OpenAI's own SDK at the Realtime interface: address, key and clip are all that it is given. Prints what it heard as JSON.

Arguments: base URL, key, a WAV file at 24 kHz.
"""

import audioop
import base64
import json
import sys
import wave

from openai import OpenAI

base_url, key, clip = sys.argv[1:4]
client = OpenAI(base_url=base_url, api_key=key)
with wave.open(clip) as file:
    pcm = file.readframes(file.getnframes())
DONE = "conversation.item.input_audio_transcription.completed"
DELTA = "conversation.item.input_audio_transcription.delta"


def pieces(audio, size=4800):
    return [audio[at : at + size] for at in range(0, len(audio), size)]


def say(audio, audio_input, completed):
    """Sends the audio, commits, and reads as many texts as that makes."""
    heard = {"types": [], "texts": [], "deltas": ""}
    query = {"intent": "transcription"}
    with client.realtime.connect(model="whisper-1", extra_query=query) as connection:
        heard["types"].append(connection.recv().type)
        session = {"type": "transcription", "audio": {"input": audio_input}}
        connection.session.update(session=session)
        heard["types"].append(connection.recv().type)
        for piece in pieces(audio):
            connection.input_audio_buffer.append(audio=base64.b64encode(piece).decode())
        connection.input_audio_buffer.commit()
        for event in connection:
            heard["types"].append(event.type)
            if event.type == DELTA:
                heard["deltas"] += event.delta
            if event.type == DONE:
                heard["texts"].append(event.transcript)
                heard["seconds"] = event.usage.seconds
                if len(heard["texts"]) == completed:
                    return heard
            if event.type == "error":
                heard["error"] = event.error.message
                return heard
    return heard


english = {"model": "gpt-4o-transcribe", "language": "en"}
low = audioop.ratecv(pcm, 2, 1, 24000, 8000, None)[0]
mulaw = audioop.lin2ulaw(low, 2)
manual = say(pcm, {"transcription": english, "turn_detection": None}, 1)
g711 = say(
    mulaw,
    {"format": {"type": "audio/pcmu"}, "transcription": english, "turn_detection": None},
    1,
)
vad = say(
    pcm,
    {"transcription": english, "turn_detection": {"type": "server_vad", "silence_duration_ms": 1200}},
    1,
)
secret = client.realtime.client_secrets.create(session={"type": "transcription"})
print(
    json.dumps(
        {
            "manual": manual,
            "g711": g711,
            "vad": vad,
            "secret": secret.value[:3],
            "lasts": secret.expires_at,
        }
    )
)

"""Asks a Wyoming server for its description and for the text of a WAV file, with the client of the wyoming package. Arguments: port, file."""

import asyncio
import json
import sys
import wave

from wyoming.asr import Transcribe, Transcript
from wyoming.audio import wav_to_chunks
from wyoming.client import AsyncTcpClient
from wyoming.info import Describe, Info


async def main(port: int, path: str) -> None:
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Describe().event())
        event = await client.read_event()
        info = Info.from_event(event)
        [program] = event.data["asr"]
    async with AsyncTcpClient("127.0.0.1", port) as client:
        await client.write_event(Transcribe(language="en").event())
        with wave.open(path, "rb") as wav:
            for chunk in wav_to_chunks(wav, 1024, start_event=True, stop_event=True):
                await client.write_event(chunk.event())
        while answer := await client.read_event():
            if Transcript.is_type(answer.type):
                text = Transcript.from_event(answer).text
                break
    told = {
        "text": text,
        "languages": info.asr[0].models[0].languages,
        # what a reader finds: names only
        "info": sorted(event.data),
        "program": sorted(program),
        "model": sorted(program["models"][0]),
    }
    print(json.dumps(told))


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))

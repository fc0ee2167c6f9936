"""Streams a WAV file to a Vosk server as the scripts of its authors do: 0.2 s of audio, then an answer, at the end eof. Arguments: port, file."""

import asyncio
import json
import sys
import wave

import websockets


async def main(port: int, path: str) -> None:
    answers = []
    async with websockets.connect(f"ws://127.0.0.1:{port}") as socket:
        with wave.open(path, "rb") as wav:
            rate = wav.getframerate()
            await socket.send('{ "config" : { "sample_rate" : %d } }' % rate)
            while data := wav.readframes(int(rate * 0.2)):
                await socket.send(data)
                answers.append(json.loads(await socket.recv()))
        await socket.send('{"eof" : 1}')
        answers.append(json.loads(await socket.recv()))
        await socket.wait_closed()
    print(json.dumps({"answers": answers, "code": socket.close_code}))


asyncio.run(main(int(sys.argv[1]), sys.argv[2]))

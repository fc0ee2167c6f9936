"""Frameworks for voice agents at the Realtime interface: address, key and clip are all that they are given. Prints what each heard as JSON.

Arguments: base URL, key, a WAV file at 24 kHz, and which: agents, livekit or pipecat.
"""

import asyncio
import json
import sys
import wave

base_url, key, clip, which = sys.argv[1:5]
with wave.open(clip) as file:
    pcm = file.readframes(file.getnframes())
RATE = 24000
PIECE = RATE // 10 * 2
pieces = [pcm[at : at + PIECE] for at in range(0, len(pcm), PIECE)]


async def of_agents():
    import numpy
    from agents.voice import OpenAISTTModel, StreamedAudioInput, STTModelSettings
    from openai import AsyncOpenAI

    model = OpenAISTTModel("gpt-4o-transcribe", AsyncOpenAI(base_url=base_url, api_key=key))
    audio = StreamedAudioInput()
    settings = STTModelSettings(language="en")
    session = await model.create_session(audio, settings, False, False)
    for piece in pieces:
        await audio.add_audio(numpy.frombuffer(piece, dtype=numpy.int16))
    await audio.add_audio(None)
    texts = [text async for text in session.transcribe_turns()]
    await session.close()
    return {"texts": texts}


async def of_livekit():
    from livekit import rtc
    from livekit.agents import stt as speech, utils
    from livekit.plugins import openai

    heard = {"texts": [], "interim": 0, "events": []}
    async with utils.http_context.open():
        stt = openai.STT(
            base_url=base_url, api_key=key, model="gpt-4o-transcribe", language="en", use_realtime=True
        )
        stream = stt.stream()

        async def speak():
            silence = bytes(PIECE)
            for piece in [*pieces, *[silence] * 12]:
                stream.push_frame(rtc.AudioFrame(piece, RATE, 1, len(piece) // 2))
                await asyncio.sleep(0.02)

        speaking = asyncio.create_task(speak())
        async for event in stream:
            heard["events"].append(event.type.value)
            if event.type == speech.SpeechEventType.INTERIM_TRANSCRIPT:
                heard["interim"] += 1
            if event.type == speech.SpeechEventType.FINAL_TRANSCRIPT:
                heard["texts"].append(event.alternatives[0].text)
                heard["language"] = event.alternatives[0].language
            if heard["texts"]:
                break  # no event follows it
        await speaking
        await stream.aclose()
        await stt.aclose()
    return heard


async def of_pipecat():
    from pipecat.frames.frames import (
        EndFrame,
        InputAudioRawFrame,
        TranscriptionFrame,
        VADUserStoppedSpeakingFrame,
    )
    from pipecat.pipeline.pipeline import Pipeline
    from pipecat.pipeline.runner import PipelineRunner
    from pipecat.pipeline.task import PipelineParams, PipelineTask
    from pipecat.processors.frame_processor import FrameProcessor
    from pipecat.services.openai.stt import OpenAIRealtimeSTTService

    texts = []
    done = asyncio.Event()

    class Sink(FrameProcessor):
        async def process_frame(self, frame, direction):
            await super().process_frame(frame, direction)
            if isinstance(frame, TranscriptionFrame):
                texts.append(frame.text)
                done.set()
            await self.push_frame(frame, direction)

    address = base_url.replace("http", "ws", 1) + "/realtime"
    service = OpenAIRealtimeSTTService(api_key=key, base_url=address)
    task = PipelineTask(
        Pipeline([service, Sink()]), params=PipelineParams(audio_in_sample_rate=RATE)
    )

    async def speak():
        await asyncio.sleep(1)
        for piece in pieces:
            await task.queue_frame(InputAudioRawFrame(piece, RATE, 1))
        await task.queue_frame(VADUserStoppedSpeakingFrame())
        await asyncio.wait_for(done.wait(), 60)
        await task.queue_frame(EndFrame())

    await asyncio.gather(PipelineRunner(handle_sigint=False).run(task), speak())
    return {"texts": texts}


run = {"agents": of_agents, "livekit": of_livekit, "pipecat": of_pipecat}[which]
print(json.dumps(asyncio.run(run())))

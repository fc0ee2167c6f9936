"""One contender: faster-whisper, int8, beam 5, the language given (or "multilingual"). Speaks the worker protocol: a line of JSON in, a line of JSON out.

    faster_whisper_worker.py CTRANSLATE2_DIRECTORY THREADS

EARSHOT_BENCH_FASTER_WHISPER=batched: its pipeline for long recordings, eight pieces at a time.
"""

import json
import os
import sys
import time
import wave

import ctranslate2
import faster_whisper
import numpy


def read_samples(path: str) -> numpy.ndarray:
    with wave.open(path) as file:
        assert (file.getframerate(), file.getnchannels(), file.getsampwidth()) == (16000, 1, 2), path
        return numpy.frombuffer(file.readframes(file.getnframes()), numpy.int16).astype(numpy.float32) / 32768


def main(model_directory: str, threads: int) -> None:
    model = faster_whisper.WhisperModel(model_directory, device="cpu", compute_type="int8", cpu_threads=threads)
    batched = os.environ.get("EARSHOT_BENCH_FASTER_WHISPER") == "batched"
    pipeline = faster_whisper.BatchedInferencePipeline(model) if batched else model
    options = {"batch_size": 8} if batched else {}
    version = f"faster-whisper {faster_whisper.__version__} (CTranslate2 {ctranslate2.__version__})"
    print(json.dumps({"version": version}), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        samples = read_samples(request["path"])
        started = time.perf_counter()
        language = request["language"]
        several = language == "multilingual"  # found anew for each window
        segments, _ = pipeline.transcribe(
            samples,
            language=None if several else language,
            multilingual=several,
            beam_size=5,
            hotwords=request.get("hotwords"),
            **options,
        )
        text = "".join(segment.text for segment in segments)  # the work happens while this is read
        seconds = time.perf_counter() - started
        print(json.dumps({"text": text, "seconds": seconds}), flush=True)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))

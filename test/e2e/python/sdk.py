"""The real client SDK, unmodified: says a clip as its README does, and writes every message of the service as a line of JSON.

    sdk.py recognizer|transcriber STREAM_URL TOKEN_URL CLIP OUTPUT [OPTIONS_JSON]    APP_ID and APP_SECRET in the environment

Started in a folder of its own: the SDK keeps its token in a file there.
"""

import json
import os
import sys
import threading
import time

from dolphinvoice import speech_rec
from dolphinvoice.speech_rec.callbacks import SpeechRecognizerCallback, SpeechTranscriberCallback

KIND, STREAM_URL, TOKEN_URL, CLIP, OUTPUT = sys.argv[1:6]
OPTIONS = json.loads(sys.argv[6]) if len(sys.argv) > 6 else {}

output = open(OUTPUT, "w", encoding="utf-8", buffering=1)
grew = threading.Event()


def write(message):
    output.write(json.dumps({"message": message}) + "\n")


class Told:
    """Every callback that the SDK has: its own default for each raises."""

    def started(self, message):
        write(message)

    def result_changed(self, message):
        write(message)
        grew.set()

    def sentence_begin(self, message):
        write(message)

    def sentence_end(self, message):
        write(message)

    def completed(self, message):
        write(message)

    def task_failed(self, message):
        write(message)

    def warning_info(self, message):
        write({"warning": message})

    def channel_closed(self):
        output.write(json.dumps({"closed": True}) + "\n")


class Recognizer(Told, SpeechRecognizerCallback):
    pass


class Transcriber(Told, SpeechTranscriberCallback):
    pass


client = speech_rec.SpeechClient(os.environ["APP_ID"], os.environ["APP_SECRET"], STREAM_URL, TOKEN_URL)
session = client.create_recognizer(Recognizer()) if KIND == "recognizer" else client.create_transcriber(Transcriber())
with session:
    session.set_parameter(OPTIONS)
    started = session.start()
    output.write(json.dumps({"start": started}) + "\n")
    if started == 0:
        with open(CLIP, "rb") as file:
            for at, audio in enumerate(iter(lambda: file.read(7680), b"")):
                session.send(audio)
                time.sleep(0.02)
                # what is heard so far is not shown any more once all has been said: a busy machine gets the time to show it
                if KIND == "recognizer":
                    grew.wait(50 if at == 10 else 0.5)
        output.write(json.dumps({"stop": session.stop()}) + "\n")

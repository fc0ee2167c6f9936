"""The real client SDK, unmodified: transcribes a file as its README does, and prints what its call returned as JSON.

    sdk_file.py STREAM_URL TOKEN_URL UPLOAD_URL RESULT_URL FILE OPTIONS_JSON    APP_ID and APP_SECRET in the environment

Started in a folder of its own: the SDK keeps its token in a file there.
"""

import json
import os
import sys

from dolphinvoice import speech_rec

STREAM_URL, TOKEN_URL, UPLOAD_URL, RESULT_URL, FILE = sys.argv[1:6]
OPTIONS = json.loads(sys.argv[6])

client = speech_rec.SpeechClient(os.environ["APP_ID"], os.environ["APP_SECRET"], STREAM_URL, TOKEN_URL)
answer = client.create_asrfile(UPLOAD_URL, RESULT_URL).transcribe_file(FILE, OPTIONS)
print("\n" + json.dumps(answer))

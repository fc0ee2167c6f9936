"""OpenAI's SDK against an appliance: its address and a token are all that it is given."""
import json
import sys

import openai

url, token, clip = sys.argv[1:]
client = openai.OpenAI(base_url=f"{url}/v1", api_key=token)
create = client.audio.transcriptions.create


def said(**options):
    with open(clip, "rb") as file:
        return create(model="whisper-1", file=file, **options)


verbose = said(
    language="en",
    response_format="verbose_json",
    timestamp_granularities=["word", "segment"],
)
events = list(said(language="en", stream=True))
try:
    said(language="de")
    refused = None
except openai.BadRequestError as error:
    refused = [error.code, error.param, bool(error.request_id)]
try:
    openai.OpenAI(base_url=f"{url}/v1", api_key="wrong").models.list()
    unknown = None
except openai.AuthenticationError as error:
    unknown = error.code
print(
    json.dumps(
        {
            "json": said(language="en").text,
            "identified": said().text,
            "text": said(language="en", response_format="text"),
            "srt": said(language="en", response_format="srt"),
            "verbose": verbose.text,
            "words": len(verbose.words),
            "end": verbose.segments[-1].end,
            "deltas": "".join(it.delta for it in events if it.type == "transcript.text.delta"),
            "done": events[-1].text,
            "extra": said(language="en", extra_body={"hotwords": "Dashwood"}).text,
            "refused": refused,
            "unknown": unknown,
            "models": [it.id for it in client.models.list()],
        }
    )
)

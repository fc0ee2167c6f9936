"""OpenAI's SDK against an appliance: its address and a token are all that it is given."""
import json
import sys

import openai

url, token, clip, *encoded = sys.argv[1:]
client = openai.OpenAI(base_url=f"{url}/v1", api_key=token)
create = client.audio.transcriptions.create


def said(path=clip, **options):
    with open(path, "rb") as file:
        return create(model="whisper-1", file=file, **options)


def refusal(kind, ask):
    try:
        ask()
    except kind as error:
        return [error.code, error.param, bool(error.request_id)]


verbose = said(
    language="en",
    response_format="verbose_json",
    timestamp_granularities=["word", "segment"],
)
events = list(said(language="en", stream=True))
logprobs = said(language="en", include=["logprobs"]).logprobs
stranger = openai.OpenAI(base_url=f"{url}/v1", api_key="wrong")
missing = openai.NotFoundError
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
            "keywords": said(languages=["en"], keywords=["Dashwood"]).text,
            "logprobs": [it.logprob for it in logprobs],
            "encoded": [said(path, language="en").text for path in encoded],
            "refused": refusal(openai.BadRequestError, lambda: said(language="de")),
            "unknown": refusal(openai.AuthenticationError, stranger.models.list),
            "absent": refusal(missing, lambda: client.models.retrieve("none")),
            "speech": refusal(missing, lambda: client.audio.speech.create(model="tts-1", voice="alloy", input="a")),
            "models": [it.id for it in client.models.list()],
        }
    )
)

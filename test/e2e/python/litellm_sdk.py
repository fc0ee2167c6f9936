"""LiteLLM against an appliance, as a provider with OpenAI's interface."""
import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would fetch its price list
import litellm
import openai

url, token, clip = sys.argv[1:]


def said(**options):
    with open(clip, "rb") as file:
        return litellm.transcription(
            model="openai/whisper-1", file=file, api_base=f"{url}/v1", api_key=token, **options
        )


try:
    said(language="de")
    refused = None
except openai.BadRequestError as error:
    refused = error.status_code
verbose = said(language="en", response_format="verbose_json", timestamp_granularities=["segment"])
print(
    json.dumps(
        {
            "json": said(language="en").text,
            "verbose": verbose.text,
            "duration": verbose["duration"],
            "refused": refused,
        }
    )
)

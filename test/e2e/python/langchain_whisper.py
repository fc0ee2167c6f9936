"""LangChain's reader of audio at OpenAI's interface: its address and a token are all that it is given. Prints the text. Arguments: address, token, file."""

import contextlib
import sys

from langchain_community.document_loaders.parsers.audio import OpenAIWhisperParser
from langchain_core.document_loaders import Blob

url, token, clip = sys.argv[1:]
parser = OpenAIWhisperParser(api_key=token, base_url=f"{url}/v1")
with contextlib.redirect_stdout(sys.stderr):
    documents = list(parser.lazy_parse(Blob.from_path(clip)))
print(" ".join(it.page_content for it in documents))

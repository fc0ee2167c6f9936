"""Runs programs one after another, so that what they import is loaded once: LiteLLM takes five seconds. Prints what each has printed, as a JSON list.

Arguments: a JSON list of each program's file and its arguments.
"""

import contextlib
import io
import json
import runpy
import sys

printed = []
for program in sys.argv[1:]:
    sys.argv = json.loads(program)
    with contextlib.redirect_stdout(io.StringIO()) as output:
        runpy.run_path(sys.argv[0], run_name="__main__")
    printed.append(output.getvalue())
print(json.dumps(printed))

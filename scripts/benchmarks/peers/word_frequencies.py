"""How often words are used, from wordfreq's lists: one JSON object, by language a list of [word, zipf], commonest first.

    word_frequencies.py WORDS_A_LANGUAGE

Zipf is the logarithm of how often a word stands in a thousand million: 3 is once in a million.
"""

import json
import sys

import wordfreq


def words(language: str, most: int) -> list[tuple[str, float]]:
    found: list[tuple[str, float]] = []
    for centibels, bucket in enumerate(wordfreq.get_frequency_list(language, "best")):
        found.extend((word, round((900 - centibels) / 100, 2)) for word in sorted(bucket))
        if len(found) >= most:
            break
    return found[:most]


most = int(sys.argv[1])
json.dump({language: words(language, most) for language in ("zh", "ja", "en")}, sys.stdout, ensure_ascii=False)

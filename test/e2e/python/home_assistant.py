"""Home Assistant itself against a Wyoming server: its integration is set up as by a user and as by discovery, and its entity is given a command.

Run by pytest. From the environment: EARSHOT_PORT; EARSHOT_CLIP, a WAV file at 16 kHz; EARSHOT_OUTPUT, where to write what happened as JSON.
"""

import ipaddress
import json
import os
import wave

import pytest
from homeassistant.components import stt, zeroconf
from homeassistant.config_entries import SOURCE_USER, SOURCE_ZEROCONF
from homeassistant.setup import async_setup_component

PORT = int(os.environ["EARSHOT_PORT"])
HOST = "127.0.0.1"


@pytest.fixture(autouse=True)
def expected_lingering_timers():
    """Its own analytics and updaters; what is tested here ends with the connection."""
    return True


def announced():
    """As the record of _wyoming._tcp.local. arrives."""
    address = ipaddress.ip_address(HOST)
    return zeroconf.ZeroconfServiceInfo(
        ip_address=address,
        ip_addresses=[address],
        port=PORT,
        hostname="earshot.local.",
        type="_wyoming._tcp.local.",
        name="earshot._wyoming._tcp.local.",
        properties={},
    )


async def heard(hass, entity_id, language, pcm):
    """The text of a command, in pieces as the Assist pipeline sends them."""

    async def stream():
        for at in range(0, len(pcm), 1024):
            yield pcm[at : at + 1024]

    metadata = stt.SpeechMetadata(
        language=language,
        format=stt.AudioFormats.WAV,
        codec=stt.AudioCodecs.PCM,
        bit_rate=stt.AudioBitRates.BITRATE_16,
        sample_rate=stt.AudioSampleRates.SAMPLERATE_16000,
        channel=stt.AudioChannels.CHANNEL_MONO,
    )
    entity = stt.async_get_speech_to_text_entity(hass, entity_id)
    assert entity.check_metadata(metadata)
    result = await entity.async_process_audio_stream(metadata, stream())
    return [result.result.value, result.text]


async def test_wyoming(hass, socket_enabled):
    begin = hass.config_entries.flow.async_init
    configure = hass.config_entries.flow.async_configure
    assert await async_setup_component(hass, "homeassistant", {})

    flow = await begin("wyoming", context={"source": SOURCE_USER})
    nobody = await configure(flow["flow_id"], {"host": HOST, "port": 9})
    by_user = await configure(flow["flow_id"], {"host": HOST, "port": PORT})
    await hass.async_block_till_done()
    [entity_id] = hass.states.async_entity_ids("stt")
    entity = stt.async_get_speech_to_text_entity(hass, entity_id)

    with wave.open(os.environ["EARSHOT_CLIP"]) as file:
        pcm = file.readframes(file.getnframes())
    command = await heard(hass, entity_id, "en", pcm)
    silence = await heard(hass, entity_id, "en", bytes(32000))

    found = await begin("wyoming", context={"source": SOURCE_ZEROCONF}, data=announced())
    entry = by_user["result"]
    told = {
        "nobody": nobody["errors"],
        "title": by_user["title"],
        "state": entry.state.value,
        "languages": sorted(entity.supported_languages),
        "command": command,
        "silence": silence,
        "discovery": [found["type"].value, found["step_id"], found["description_placeholders"]],
    }
    assert await hass.config_entries.async_unload(entry.entry_id)
    with open(os.environ["EARSHOT_OUTPUT"], "w") as output:
        json.dump(told, output)

"""What a persona's policy is where admins have set something."""

import re
from dataclasses import fields, replace

import pytest
from structlog.testing import capture_logs

from bot.domain.persona import SEED, MemoryMode, MemoryPolicy
from bot.memory.policy import PRESET, RULES, Source, disorder, fits, parsed, policy_of, source_of
from bot.testing.factories import a_persona

IRIS = replace(a_persona(), memory=replace(SEED, decay_per_day=0.1))


def test_every_field_of_a_policy_has_a_rule_that_its_default_keeps() -> None:
    assert set(RULES) == {field.name for field in fields(MemoryPolicy)}
    for policy in (MemoryPolicy(), SEED):
        assert [name for name in RULES if not fits(name, getattr(policy, name))] == []
        assert disorder(policy) == ""


def test_without_settings_a_persona_keeps_its_own_policy() -> None:
    assert policy_of(IRIS, {"dream.time": "04:00"}) == IRIS.memory


def test_what_a_server_sets_goes_over_the_personas_own() -> None:
    policy = policy_of(IRIS, {"memory.decay_per_day": "0.5", "memory.pull": "off", "memory.max_working": "7", "memory.mode": "tags"})

    assert policy == replace(IRIS.memory, decay_per_day=0.5, pull=False, max_working=7, mode=MemoryMode.TAGS)


def test_a_servers_preset_takes_the_place_of_the_personas_numbers_but_not_of_its_switches() -> None:
    persona = replace(IRIS, memory=replace(IRIS.memory, mode=MemoryMode.TAGS, enabled=False, dream=False))

    policy = policy_of(persona, {"memory.preset": "default", "memory.max_pulled": "1"})

    assert policy == MemoryPolicy(enabled=False, mode=MemoryMode.TAGS, dream=False, max_pulled=1)


def test_unknown_and_broken_settings_are_ignored_with_one_line_in_the_log() -> None:
    broken = {"memory.decay_per_day": "fast", "memory.colour": "blue", "memory.max_working": "0", "memory.tag_boost": "nan"}

    with capture_logs() as logs:
        policy = policy_of(IRIS, {**broken, "memory.reinforce": "0.2"})

    assert policy == replace(IRIS.memory, reinforce=0.2)
    assert [(line["event"], line["names"]) for line in logs] == [("settings_ignored", sorted(broken))]


@pytest.mark.parametrize(
    ("name", "typed", "value"),
    [
        ("decay_per_day", " 0.5 ", 0.5),
        ("decay_per_day", "1", 1.0),
        ("max_working", "40", 40),
        ("dream", "Yes", True),
        ("dream", "off", False),
        ("mode", "TOOLS", "tools"),
        (PRESET, "seed", "seed"),
    ],
)
def test_a_typed_value_is_read(name: str, typed: str, value: object) -> None:
    assert parsed(name, typed) == value


@pytest.mark.parametrize(
    ("name", "typed", "said"),
    [
        ("decay_per_day", "2", "decay_per_day is a number from 0 to 1, not '2'."),
        ("decay_per_day", "-0.1", "decay_per_day is a number from 0 to 1, not '-0.1'."),
        ("decay_per_day", "inf", "decay_per_day is a number from 0 to 1, not 'inf'."),
        ("decay_per_day", "nan", "decay_per_day is a number from 0 to 1, not 'nan'."),
        ("decay_per_day", "fast", "decay_per_day is a number from 0 to 1, not 'fast'."),
        ("max_working", "4.5", "max_working is a whole number from 1 to 1000, not '4.5'."),
        ("dream", "maybe", "dream is true or false, not 'maybe'."),
        ("mode", "auto", "mode is one of automatic, tools, tags, not 'auto'."),
        ("preset", "sead", "preset is one of default, seed, not 'sead'."),
        ("colour", "blue", "There is no 'colour' in a memory policy."),
    ],
)
def test_a_value_out_of_range_is_refused_with_what_is_allowed(name: str, typed: str, said: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
        parsed(name, typed)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (MemoryPolicy(archive_below=0.3), "archive_below (0.3) must not be above demote_below (0.25)."),
        (MemoryPolicy(forget_below=0.06), "forget_below (0.06) must not be above archive_below (0.05)."),
        (MemoryPolicy(forget_below=0.05, archive_below=0.05), ""),
    ],
)
def test_thresholds_out_of_order_are_named(policy: MemoryPolicy, said: str) -> None:
    assert disorder(policy) == said


def test_each_value_says_who_has_set_it() -> None:
    settings = {"memory.reinforce": "0.2", "memory.max_pulled": "many"}

    assert source_of("demote_below", IRIS, settings) is Source.PRESET
    assert source_of("decay_per_day", IRIS, settings) is Source.PERSONA
    assert source_of("reinforce", IRIS, settings) is Source.SERVER
    assert source_of("max_pulled", IRIS, settings) is Source.PRESET
    assert source_of("decay_per_day", IRIS, {"memory.preset": "seed"}) is Source.SERVER
    assert source_of("mode", IRIS, {"memory.preset": "seed"}) is Source.PRESET

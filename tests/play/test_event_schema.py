"""The schemas of event data accept what the games publish."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from grandstand.play.event_schema import event_schemas


def test_the_keys_of_a_partial_dictionary_may_be_missing() -> None:
    schemas = event_schemas("cricket")
    asked = {"seat": "home", "analysis": {"run_rate": 8.0, "balls_left": 30}}
    planned = {"seat": "home", "innings": 1, "over": 1, "plan": {"field": "pp_ring"}}
    for kind, data in (("SituationAnalyzed", asked), ("OverPlanned", planned)):
        assert schemas[kind].model_validate(data).model_dump(exclude_unset=True) == data


def test_the_keys_of_other_dictionaries_may_not() -> None:
    part = {"seat": "home", "analysis": {"by_length": {"good": {"runs": 1.0}}}}
    with pytest.raises(ValidationError, match="wicket"):
        event_schemas("cricket")["SituationAnalyzed"].model_validate(part)

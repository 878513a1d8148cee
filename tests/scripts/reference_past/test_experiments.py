"""The experiments are those of the documentation's page, with its verdicts."""

from __future__ import annotations

from collections import Counter

from grandstand.report import Table
from grandstand.spectator.replay import complete
from scripts.reference_past.experiments import episode, read_experiments, report


def test_the_thirteen_experiments_have_the_verdicts_of_the_page() -> None:
    experiments = read_experiments()
    assert [experiment.number for experiment in experiments] == list(range(1, 14))
    verdicts = Counter(claim[2] for experiment in experiments for claim in experiment.claims)
    assert verdicts == {"undecided": 29, "supported": 6, "refuted": 5}, "as the head of the page says"


def test_an_experiment_is_an_episode_with_a_report() -> None:
    first = read_experiments()[0]
    assert complete(episode(first)).episode_id == "reference-experiment-01"
    made = report(first)
    assert made.headline == "3 claims: 1 refuted, 2 undecided"
    arms = next(section.body for section in made.sections if section.id == "arms")
    assert isinstance(arms, Table)
    value = arms.rows[0].cells[1]
    assert (value.value, value.low, value.high) == (0.1009, 0.1001, 0.1018)

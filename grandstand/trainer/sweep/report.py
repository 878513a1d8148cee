"""The report of a sweep: on its page, as Markdown, and as data for programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from grandstand.campaigns.markdown import markdown
from grandstand.report import Report
from grandstand.trainer.sweep.analysis import CriterionResult, SweepAnalysis
from grandstand.trainer.sweep.expansion import Sweep
from grandstand.trainer.sweep.sections.arms import arm_sections, curve_sections
from grandstand.trainer.sweep.sections.criteria import criteria_sections
from grandstand.trainer.sweep.sections.head import head_sections, headline, progress, tone
from grandstand.trainer.sweep.sections.method import method_sections
from grandstand.trainer.sweep.sections.references import reference_sections
from grandstand.trainer.sweep.sections.runs import run_sections
from grandstand.trainer.sweep.sections.state import SweepState, read_state

REPORT = "report.md"


def report(state: SweepState) -> Report:
    """Return the report of a sweep at a moment."""
    data = state.sweep.file.metadata
    return Report(
        headline=headline(state),
        summary=" ".join(filter(None, (data.hypothesis, data.description))),
        tone=tone(state),
        progress=progress(state),
        owners=list(state.sweep.file.arms),
        sections=[
            *head_sections(state),
            *criteria_sections(state),
            *arm_sections(state),
            *reference_sections(state),
            *curve_sections(state),
            *run_sections(state),
            *method_sections(state),
        ],
    )


def write_report(sweep: Sweep, analysis: SweepAnalysis, folder: Path) -> Path:
    """Write the report as Markdown with its charts into a folder, and return its path."""
    text = markdown(report(read_state(sweep, analysis)), folder, sweep.title)
    path = folder / REPORT
    path.write_text(text, "utf-8")
    return path


def report_json(sweep: Sweep, analysis: SweepAnalysis) -> dict[str, Any]:
    """Return the results as data."""
    return {
        "name": sweep.file.metadata.name,
        "hypothesis": sweep.file.metadata.hypothesis,
        "states": dict(analysis.states),
        "arms": {
            arm: {
                metric: {"mean": values.mean.mean, "ci95": values.mean.ci95, "seeds": dict(values.values)}
                for metric, values in metrics.items()
            }
            for arm, metrics in analysis.arms.items()
        },
        "criteria": [_decision_json(decision) for decision in analysis.decisions],
    }


def _decision_json(decision: CriterionResult) -> dict[str, Any]:
    verdict = decision.verdict
    return {
        "name": decision.criterion.name,
        "metric": decision.criterion.metric,
        "comparison": decision.comparison,
        "verdict": verdict.word,
        "reason": verdict.reason,
        "seeds": dict(decision.values),
        "look": decision.look,
        "difference": verdict.difference.mean,
        "interval": verdict.difference.ci95,
        "level": verdict.level,
        "p": verdict.p,
        "significant_together": decision.holm,
        "effect_size": verdict.effect_size,
        "power": verdict.power,
        "seeds_needed": verdict.needed,
        "situations": None if decision.situations is None else decision.situations.ci95,
    }

"""`grandstand train`: GRPO from recorded episodes, behaviour cloning alone, and the settings of both."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import Progress as Bar
from rich.table import Table as Grid

from grandstand.commands.train.estimate import estimate
from grandstand.commands.train.hub import pull, push
from grandstand.games.base import OptionError
from grandstand.games.registry import game_spec
from grandstand.play.writable import check_folder
from grandstand.terminal.console import PUBLISH_TOKEN, complain, refuse
from grandstand.trainer.config.files import SAVED, ConfigError, load, presets
from grandstand.trainer.config.settings import TrainConfig
from grandstand.trainer.config.table import sections
from grandstand.trainer.extras import missing_of_train
from grandstand.trainer.requests import SMOKED, Refused, named, recorded_episodes, run_of

if TYPE_CHECKING:
    from grandstand.campaigns.run_publisher import Watch
    from grandstand.trainer.health import CheckResult
    from grandstand.trainer.rollout.evaluation import BestVersion, PairedResult

app = typer.Typer(help="Train a policy on recorded episodes.", invoke_without_command=True, add_completion=False)
for command in (estimate, push, pull):
    app.command(command.__name__)(command)

Config = Annotated[
    str, typer.Option("--config", help=f"A file of settings (TOML or YAML), or a preset: {', '.join(presets())}.")
]
Set = Annotated[
    list[str] | None, typer.Option("--set", help="One setting, section.key=value, over the file's; may be repeated.")
]
Out = Annotated[Path | None, typer.Option("--out", help="The run's folder; run.folder/run.name by default.")]
AsJsonLines = Annotated[bool, typer.Option("--json", help="Print one JSON object a line: the steps, then the result.")]


@app.callback()
def train(
    context: typer.Context,
    config: Config = "",
    set_: Set = None,
    smoke: Annotated[
        bool,
        typer.Option(
            "--smoke",
            help=f"Smoke test: one minimal step in a temporary folder; of {SMOKED} by default.",
        ),
    ] = False,
    resume: Annotated[
        bool | None,
        typer.Option(
            "--resume/--fresh", help="Continue from the last checkpoint, or start over and rename the old run's folder."
        ),
    ] = None,
    out: Out = None,
    base: Annotated[
        Path | None,
        typer.Option("--base", help="Folder of a base that `train bc` made of the same settings, instead of cloning."),
    ] = None,
    as_json: AsJsonLines = False,
) -> None:
    """Train a policy by GRPO: clone bots, then play, judge and learn, step by step."""
    options = [config, set_, smoke, resume is not None, out, base, as_json]
    if context.invoked_subcommand is not None:
        if any(options):
            _refuse(f"put the options behind {context.invoked_subcommand}")
        return
    with _complaining():
        settings, folder = run_of(config, set_ or [], out, smoke, resume)
        _check_extra()
        if smoke and out is None:
            with TemporaryDirectory(prefix="grandstand-smoke-") as scratch:
                _train(settings, Path(scratch), False, base, as_json)
        else:
            _train(settings, folder, bool(resume), base, as_json)
            if not as_json:
                Console().print(f"The run is finished; its folder is {escape(str(folder))}", highlight=False)


@app.command("bc")
def clone(
    config: Config = "",
    set_: Set = None,
    episodes: Annotated[
        list[Path] | None,
        typer.Option("--episodes", help="Record to imitate (jsonl, as `play --out` writes it); may be repeated."),
    ] = None,
    record: Annotated[
        Path | None, typer.Option("--record", help="A store, grandstand.db: imitate every ended match of the game.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", help="Folder for the policy; run.folder/run.name-cloned by default.")
    ] = None,
    as_json: AsJsonLines = False,
) -> None:
    """Fit a policy to recorded choices (behavior cloning): of bots that play for it, or of recorded matches."""
    with _complaining():
        settings = load(named(config), set_ or [])
        if not (episodes or record or settings.clone.bots):
            raise Refused("nobody to imitate: set clone.bots, or give --episodes or --record")
        folder = out or Path(settings.run.folder) / f"{settings.run.name}-cloned"
        _clone(settings, folder, episodes or [], record, as_json)


@app.command("eval")
def measure(
    out: Annotated[Path, typer.Option("--out", help="The run's folder.")],
    games: Annotated[int, typer.Option("--games", min=2, help="Situations, each played by both.")] = 200,
    against: Annotated[
        list[str] | None,
        typer.Option(
            "--against",
            help="The players in the other seats: `base`, `field` as in training, or a bot; or a set of the game's "
            "situations, such as `tactics`. `base` by default; may be repeated, for a measurement each.",
        ),
    ] = None,
    version: Annotated[
        list[int] | None,
        typer.Option("--version", help="The version; the newest by default. May be repeated."),
    ] = None,
    label: Annotated[
        str, typer.Option("--label", help="Seed of the situations: each label selects other ones.")
    ] = "fresh",
    as_json: AsJsonLines = False,
) -> None:
    """Measure a run's policy against its base policy, in situations that it was not trained on."""
    with _complaining():
        if not (out / SAVED).is_file():
            raise Refused(f"{out}: there is no run in it")
        opponents = against or ["base"]
        for name in opponents:
            _check_against(load(out / SAVED), name)
        _check_extra()
        versions: Sequence[int | None] = version or (None,)
        _measure(out, games, [(number, name) for number in versions for name in opponents], label, as_json)


@app.command("settings")
def table(
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """Print every setting with its default, type and description."""
    if as_json:
        typer.echo(json.dumps([row._asdict() for *_, rows in sections() for row in rows], indent=1))
        return
    console = Console()
    for name, about, rows in sections():
        grid = Grid(title=escape(f"[{name}]") + f" {about}", title_justify="left", expand=True)
        for column in ("setting", "default", "takes", "what"):
            grid.add_column(column, overflow="fold")
        for row in rows:
            grid.add_row(*map(escape, (row.key.removeprefix(f"{name}."), row.default, row.takes, row.help)))
        console.print(grid)


def _check_against(settings: TrainConfig, against: str) -> None:
    spec = game_spec(settings.game.name)
    if against not in ("base", "field", *spec.bots.players, *spec.learning.tasks):
        raise Refused(
            f"--against: {against!r} is neither base nor field, nor a bot: {', '.join(spec.bots.players)}, nor a "
            f"set of situations: {', '.join(spec.learning.tasks)}"
        )


def _check_extra() -> None:
    if missing := missing_of_train():
        raise Refused(missing)


def _train(settings: TrainConfig, folder: Path, resume: bool, base: Path | None, as_json: bool) -> None:
    token = os.environ.get(PUBLISH_TOKEN, "")
    if settings.watch.url and not token:
        raise Refused(f"watch.url: the server's publish token is missing: set the environment variable {PUBLISH_TOKEN}")
    from grandstand.spectator.errors import RecordError
    from grandstand.trainer.checkpoint import CheckpointError
    from grandstand.trainer.league.rows import LeagueError
    from grandstand.trainer.learning.behavior_cloning import CloneError
    from grandstand.trainer.learning.learner import Diverged, LearnerLost, Mismatch
    from grandstand.trainer.learning.shared_base import BaseError
    from grandstand.trainer.loop import RunError
    from grandstand.trainer.machine import note_machine
    from grandstand.trainer.metrics import MetricsError
    from grandstand.trainer.model.policy import PolicyError
    from grandstand.trainer.model.sampler import BackendError, SamplerError
    from grandstand.trainer.progress import RunProgress
    from grandstand.trainer.run import train

    check_folder("--out", folder)
    progress = RunProgress(settings.run.name, settings.run.steps, as_json=as_json)
    note_machine(folder)
    refused = (RunError, BaseError, PolicyError, CloneError, MetricsError, CheckpointError, RecordError, LeagueError)
    try:
        with _watched(settings, folder, token) as watch, progress:
            report, doing = progress.step, progress.doing
            summary = train(settings, folder, resume=resume, report=report, doing=doing, watch=watch, base=base)
    except refused as error:
        raise Refused(str(error)) from error
    except (BackendError, SamplerError, Mismatch, Diverged, LearnerLost) as error:
        _say(f"the run broke off: {error}\nGo on with: grandstand train --resume --out {folder}")
        raise typer.Exit(1) from error
    except KeyboardInterrupt:
        _say(f"stopped. Go on with: grandstand train --resume --out {folder}")
        raise typer.Exit(130) from None
    if as_json:
        health = [{**asdict(result), "passed": result.passed} for result in summary.health]
        typer.echo(json.dumps({"result": {"folder": str(folder), **asdict(summary), "health": health}}))
    else:
        _print_health(summary.health)
        _print_best(summary.best)


def _print_best(best: BestVersion | None) -> None:
    """Print the best version, if evaluations chose one, with its result in new situations."""
    if best is None:
        return
    interval = "" if best.result.ci95 is None else f" ± {best.result.ci95:.4f}"
    text = f"{best.name}: {best.result.gain:+.4f}{interval} over the base in {best.result.games} other situations"
    Console().print(f"The best version by evaluation is {text}", highlight=False, soft_wrap=True)


def _print_health(results: Sequence[CheckResult]) -> None:
    """Print each check with its value and its bound."""
    console = Console()
    if results:
        failed = sum(not result.passed for result in results)
        console.print(f"Health: {f'{failed} of {len(results)} checks failed' if failed else 'all checks passed'}")
    for result in results:
        console.print(f"  {result}", highlight=False, soft_wrap=True, style=None if result.passed else "red")


def _watched(settings: TrainConfig, folder: Path, token: str) -> AbstractContextManager[Watch | None]:
    """Return the publisher of the run's matches, if the settings ask for one."""
    from grandstand.campaigns.run_publisher import Watch

    watch, buffer = settings.watch, folder / "watch.db"
    if not watch.url:
        return nullcontext()
    return Watch(watch.url, token, watch.share, watch.per_minute, watch.pace, buffer, settings.run.seed)


def _clone(settings: TrainConfig, folder: Path, files: Sequence[Path], record: Path | None, as_json: bool) -> None:
    _check_extra()
    from grandstand.games.base import IllegalAction
    from grandstand.spectator.bus import Bus
    from grandstand.spectator.errors import RecordError
    from grandstand.spectator.recorder import Recorder
    from grandstand.trainer.learning.base_policy import REPORT, prepare_base
    from grandstand.trainer.learning.behavior_cloning import CloneError, clone
    from grandstand.trainer.learning.shared_base import POLICY, note_base
    from grandstand.trainer.model.policy import PolicyError

    spec, policy = game_spec(settings.game.name), folder / POLICY
    if policy.exists():
        raise Refused(f"{policy}: it is there already; name another folder with --out")
    check_folder("--out", folder)
    try:
        with _bar(as_json) as doing:
            if files or record:
                episodes = recorded_episodes(settings.game.name, files, record)
                cloned = clone(settings, spec, episodes, policy, lambda n, of, loss: doing("cloning, batch", n, of))
                (policy / REPORT).write_text(json.dumps(asdict(cloned), indent=1) + "\n", "utf-8")
            else:
                note_base(settings, folder)
                recorder = Recorder(folder / "record.db")
                prepare_base(settings, spec, policy, recorder, Bus(recorder), doing)
                recorder.close()
    except IllegalAction as error:
        raise Refused(f"a record does not follow the rules: {error}. `grandstand replay` tells which") from error
    except (RecordError, PolicyError, CloneError) as error:
        raise Refused(str(error)) from error
    _print_result({"policy": str(policy), **json.loads((policy / REPORT).read_text("utf-8"))}, as_json)


def _measure(out: Path, games: int, pairs: Sequence[tuple[int | None, str]], label: str, as_json: bool) -> None:
    """Measure each version against each set of players, and print each result as soon as it is measured."""
    from grandstand.spectator.errors import RecordError
    from grandstand.trainer.checkpoint import CheckpointError
    from grandstand.trainer.league.rows import LeagueError
    from grandstand.trainer.loop import RunError
    from grandstand.trainer.model.policy import PolicyError
    from grandstand.trainer.model.sampler import BackendError
    from grandstand.trainer.run import measuring

    try:
        with _bar(as_json) as doing, measuring(out, doing) as run:
            for version, against in pairs:
                result = run.measure(version, against, f"{label}-{against}", games)
                place: dict[str, str | int] = (
                    {"against": against} if version is None else {"version": version, "against": against}
                )
                _print_measurement(place, result, as_json)
    except (RunError, PolicyError, BackendError, CheckpointError, RecordError, LeagueError) as error:
        raise Refused(str(error)) from error


def _print_measurement(place: Mapping[str, str | int], result: PairedResult, as_json: bool) -> None:
    report = {**place, **asdict(result), "gain": result.gain, "sigmas": result.sigmas}
    if not as_json:
        report |= {name: str(measure) for name, measure in result.results.items()}
        del report["results"], report["pairs"]
    _print_result(report, as_json)


def _print_result(result: dict[str, Any], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps({"result": result}))
        return
    console = Console()
    for name, value in result.items():
        text = f"{value:.4f}" if isinstance(value, float) else str(value)
        console.print(f"{name.replace('_', ' ')}: {escape(text)}", highlight=False, soft_wrap=True)


@contextmanager
def _bar(quiet: bool) -> Iterator[Callable[[str, int, int], None]]:
    """Yield the update function of a progress bar, of lines without a terminal: (description, completed, total)."""
    from grandstand.trainer.progress import RunProgress

    console = Console(stderr=True)
    if not quiet and not console.is_terminal:
        yield RunProgress("", 0, out=sys.stderr).doing
        return
    with Bar(console=console, transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=None)
        yield lambda what, done, whole: bar.update(task, description=what, completed=done, total=whole or None)


@contextmanager
def _complaining() -> Iterator[None]:
    """Print an invalid request's error, and exit with status 2."""
    try:
        yield
    except (ConfigError, Refused, OptionError, OSError) as error:
        _refuse(str(error), error)


def _refuse(text: str, cause: BaseException | None = None) -> None:
    refuse("train", text, 2, cause)


def _say(text: str) -> None:
    complain("train", text)

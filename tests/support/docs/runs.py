"""The documented commands that are run, each with its arguments made small, and the few that are not, with the reason.

Words are only added, or replace a placeholder (ID, FILE, X). The last of an option counts. A group is run in its order,
in one folder: what one command leaves, the next may read.
"""

from __future__ import annotations

SHORT = "--set last_year=1901"
SMALL = (
    "--set run.steps=1 --set run.checkpoint_every=1 --set run.eval_every=1 --set run.eval_games=2 --set clone.games=2 "
    "--set clone.epochs=1 --set clone.horizon=1 --set clone.holdout=0.3 --set rollout.groups=2 --set rollout.samples=4 "
    "--set rollout.horizon=1 --set rollout.long_horizon=1 --set rollout.warmup=2 --set optimizer.epochs=1"
)
"""A minimal step of every part of a training run, as `--smoke` makes it."""
SMALL_DIPLOMACY = f'{SMALL} --set run.eval_whole=false --set \'game.options={{"press":"none","last_year":1902}}\''
SMALL_CRICKET = f"{SMALL} --set 'game.options={{\"overs\":2}}'"
CHARACTERS = "Talleyrand,Metternich,Bismarck,Cavour,Castlereagh,Gorchakov,Crispi"
NEGOTIATORS = {
    "a": "Andrassy,Bismarck,Castlereagh,Cavour,Crispi,Disraeli,Gorchakov",
    "b": "Metternich,Palmerston,Reshid,Salisbury,Talleyrand,Bismarck,Cavour",
}
VILLAGERS = "magistrate,firebrand,advocate,pretender,believer,ledger,mouse,hothead"
CRICKET_CUP = (
    "tournament cricket --players heuristic,neutral,cricsheet,fixed-plan,random --matches 1000 --set overs=5"
    " --set win_probability=false --seed 1 --records cricket-cup --json"
)
DIPLOMACY_CUP = (
    "tournament diplomacy --players coordinated,dumbbot,defensive,territorial,chaos,random,hold --matches 1000"
    " --set press=none --set last_year=1905 --seed 1 --records diplomacy-cup --json"
)

MATCHES = {
    "--help": "--help",
    "list games": "list games",
    "list players diplomacy": "list players diplomacy",
    "list players werewolf": "list players werewolf",
    "play werewolf --players NAME --matches 200 --seed 1 --json": (
        "play werewolf --players ledger --matches 1 --seed 1 --json"
    ),
    f"play werewolf --players {VILLAGERS} --rotate --matches 200 --seed 1 --json": (
        f"play werewolf --players {VILLAGERS} --rotate --matches 2 --seed 1 --json"
    ),
    f"play diplomacy --players {CHARACTERS} --set last_year=1908": (
        f"play diplomacy --players {CHARACTERS} --set last_year=1908 {SHORT}"
    ),
    **{
        f"play diplomacy --players {players} --rotate --matches 4 --seed 5 --out records/{folder}": (
            f"play diplomacy --players {players} --rotate --matches 1 --seed 5 --out records/{folder} {SHORT}"
        )
        for folder, players in NEGOTIATORS.items()
    },
    "play diplomacy --players dumbbot --matches 100 --out records": (
        f"play diplomacy --players dumbbot --matches 100 --out records --matches 1 {SHORT}"
    ),
    "play cricket --set overs=20 --set era=modern --matches N --format cricsheet --out DIR": (
        "play cricket --set overs=20 --set era=modern --matches 1 --format cricsheet --out DIR --set overs=1"
    ),
    "play diplomacy --format saved-game": f"play diplomacy --format saved-game --out saved {SHORT}",
    "play diplomacy --players X --set tactic=self-standoff": (
        "play diplomacy --players hold --set tactic=self-standoff"
    ),
    "replay records/diplomacy-0.jsonl": "replay records/diplomacy-0.jsonl",
    "replay records/diplomacy-0.jsonl --watch --pace 0.5": "replay records/diplomacy-0.jsonl --watch --pace 0.5",
    "replay FILE": "replay records/diplomacy-0.jsonl",
    "eval cricket --player heuristic --pack default --repeats 4 --out report.json": (
        "eval cricket --player heuristic --pack default --repeats 4 --out report.json --repeats 1 --limit 1"
    ),
    "eval diplomacy --player X --against Y": f"eval diplomacy --player random --against hold {SHORT}",
    "eval diplomacy --player X --reference random --pack tactics --repeats 20": (
        "eval diplomacy --player hold --reference random --pack tactics --repeats 20 --repeats 1 --limit 2"
    ),
    "tournament cricket --players heuristic,neutral,random --format ladder --matches 40 --set overs=5": (
        "tournament cricket --players heuristic,neutral,random --format ladder --matches 4 --set overs=1"
    ),
    "tournament cricket --players heuristic,neutral,random --matches 60 --set overs=5 --records cup": (
        "tournament cricket --players heuristic,neutral,random --matches 60 --set overs=5 --records cup"
        " --matches 6 --set overs=1"
    ),
    CRICKET_CUP: f"{CRICKET_CUP} --matches 2 --set overs=1",
    DIPLOMACY_CUP: f"{DIPLOMACY_CUP} --matches 1 {SHORT}",
    "rate DIR": "rate cup",
    "rate FILES…": "rate cup/*.jsonl",
    "list costs FILES…": "list costs cup/*.jsonl",
    "report FOLDER": "report cup",
}

SERVED = {
    "watch http://127.0.0.1:8000/episode/diplomacy-1": "watch URL/episode/ID",
    "publish cricket --url https://example.org --set overs=2": "publish cricket --url URL --set overs=2 --set overs=1",
    "export ID --out FILE": "export ID --out FILE",
    "export ID --data /var/lib/grandstand --out FILE": "export ID --data data --out FILE",
    "export cricket-12 --format html": "export ID --format html",
    "export diplomacy-7 --as analyst --to hf:OWNER/NAME": "export ID --as analyst --to hf:OWNER/NAME",
    "import FILE": "import FILE",
    "import final.json game.json.gz": "import final.json game.json.gz",
    "import --json FILE...": "import --json final.json FILE",
    "list costs data --by day": "list costs data --by day",
}
"""With a server at URL that has recorded the match ID."""

MODELS = {
    "list players --roster FILE": "list players --roster prompts.toml",
    "eval diplomacy --player mini hidden --reference mini --against dumbbot --pack tactics --roster prompts.toml": (
        "eval diplomacy --player 'mini hidden' --reference mini --against dumbbot --pack tactics --roster prompts.toml"
        " --limit 1"
    ),
    "eval cricket --player mini hidden --reference mini --pack chase-30 --roster prompts.toml --max-dollars 5": (
        "eval cricket --player 'mini hidden' --reference mini --pack chase-30 --roster prompts.toml --max-dollars 5"
        " --limit 1"
    ),
}
"""With the models of prompts.toml at an endpoint of the tests."""

_CRICKET_LONG = (
    "train --config nano-cricket-strong --set run.seed=1 --set policy.model=runs/cricket200-cloned/policy"
    " --set clone.bots=[] --set clone.teacher= --set run.steps=160 --set run.name=nano-cricket-long1"
)
_DIPLOMACY_LONG = (
    "train --config nano-diplomacy-strong --set run.seed=1 --set policy.model=runs/dip400-cloned/policy"
    " --set clone.bots=[] --set clone.teacher= --set run.eval_every=0 --set run.steps=60"
    " --set run.name=nano-diplomacy-long1"
)
_CRICKET_CLONE = "train bc --config nano-cricket-strong --set run.name=cricket200 --set run.seed=1"
_DIPLOMACY_CLONE = "train bc --config nano-diplomacy-strong --set run.name=dip400 --set run.seed=1"
_QUOTES = str.maketrans({"{": "'{", "}": "}'"})
_MAIN = (
    "train --config nano-diplomacy --out runs/main --set run.name=main --set league.folder=runs/league"
    ' --set rollout.opponents={"past":2,"exploiter":1}'
)
_EXPLOITER = (
    "train --config nano-diplomacy --out runs/x --set run.name=x --set league.folder=runs/league"
    ' --set policy.init=runs/main --set league.role=main_exploiter --set rollout.opponents={"main":1}'
)

TRAINING = {
    "train settings": "train settings",
    "train estimate --config qwen-7b --gpus 8": "train estimate --config qwen-7b --gpus 8",
    "train --smoke": "train --smoke",
    "train --config nano-diplomacy": f"train --config nano-diplomacy {SMALL}",
    "train push --out RUN --to hf:OWNER/NAME": "train push --out runs/nano-diplomacy --to hf:OWNER/NAME",
    "train pull --from hf:OWNER/NAME --out FOLDER": "train pull --from hf:OWNER/NAME --out FOLDER",
    "train eval --against BOT": "train eval --against random --out runs/nano-diplomacy --games 2",
    "train eval --out RUN --games 420 --label report --against base": (
        "train eval --out runs/nano-diplomacy --games 420 --label report --against base --games 2"
    ),
    "eval diplomacy --player learner --roster players.toml": (
        f"eval diplomacy --player learner --roster players.toml {SHORT}"
    ),
    "train --config nano-diplomacy --set run.seed=1": (
        f"train --config nano-diplomacy --set run.seed=1 {SMALL} --out runs/seed1"
    ),
    "train --config nano-diplomacy --set run.steps=40 --set rollout.opponents.random=0": (
        f"train --config nano-diplomacy --set run.steps=40 --set rollout.opponents.random=0 {SMALL} --out runs/40"
    ),
    _MAIN: f"{_MAIN.translate(_QUOTES)} {SMALL}",
    _EXPLOITER: f"{_EXPLOITER.translate(_QUOTES)} {SMALL}",
    "report --league FOLDER": "report --league runs/league",
    "train bc --config nano-diplomacy --record data/grandstand.db": (
        f"train bc --config nano-diplomacy --record data/grandstand.db {SMALL}"
    ),
    _DIPLOMACY_CLONE: f"{_DIPLOMACY_CLONE} {SMALL_DIPLOMACY}",
    _DIPLOMACY_LONG: f"{_DIPLOMACY_LONG} {SMALL_DIPLOMACY}",
    "train --config nano-diplomacy-strong": f"train --config nano-diplomacy-strong {SMALL_DIPLOMACY}",
    _CRICKET_CLONE: f"{_CRICKET_CLONE} {SMALL_CRICKET}",
    _CRICKET_LONG: f"{_CRICKET_LONG} {SMALL_CRICKET}",
    "train --config nano-cricket": f"train --config nano-cricket {SMALL_CRICKET}",
    "train --config nano-cricket-strong": f"train --config nano-cricket-strong {SMALL_CRICKET}",
    "train --config nano --set game.name=werewolf": (
        f"train --config nano --set game.name=werewolf --out runs/werewolf {SMALL}"
    ),
}

EXPERIMENTS = {
    "sweep experiments/06-kl-warmup.yaml --dry-run": "sweep experiments/06-kl-warmup.yaml --dry-run --no-pilot",
    "sweep FILE --dry-run": "sweep tiny.yaml --dry-run",
    "sweep experiments/06-kl-warmup.yaml --run": "sweep tiny.yaml --run --out sweeps/06-kl-warmup",
    "sweep experiments/06-kl-warmup.yaml --status": "sweep experiments/06-kl-warmup.yaml --status",
    "report sweeps/06-kl-warmup": "report sweeps/06-kl-warmup",
    "report --tracker experiments --out tracker.md": "report --tracker experiments --out tracker.md",
    "report --claims experiments --out claims.md": "report --claims experiments --out claims.md",
    "report --claims --scale micro experiments --out claims.md": (
        "report --claims --scale micro experiments --out claims.md"
    ),
}
"""In a checkout, for the files of experiments."""

RUN = MATCHES | SERVED | MODELS | TRAINING | EXPERIMENTS

NOT_RUN = {
    "play diplomacy --players person,dumbbot,dumbbot,dumbbot,dumbbot,dumbbot,dumbbot": (
        "a person types; tests/players/test_terminal.py does"
    ),
    "train --config nano --set game.name=kuhn": "the game is the page's own; tests/docs/test_add_a_game.py trains it",
    "export ID --format markdown": "ID is that of a campaign; tests/commands/test_export.py exports one",
    "play openspiel --players mcts,random --set game=connect_four": (
        "needs an extra; tests/games/foreign/test_openspiel.py plays such matches"
    ),
    "bot check http://127.0.0.1:8000 -- node examples/bots/bot.mjs": (
        "needs Node; tests/commands/bot/test_check.py checks an example, and scripts/program_matches.py plays this one"
    ),
    "play pettingzoo --players random --set game=tictactoe_v3": (
        "needs an extra; tests/games/foreign/test_zoo.py plays such matches"
    ),
    "eval cricket --player heuristic --pack chase-30 --limit 2 --records chases": (
        "tests/campaigns/evaluation/test_inspect_task.py runs it before the command that reads its records"
    ),
    "replay FILE --chain 141:9f2c… --as VIEWPOINT": (
        "needs what a viewer has noted; tests/commands/test_replay.py checks records by it"
    ),
    "play textarena --players random --set game=Othello": (
        "needs an extra; tests/games/foreign/test_arena.py plays such matches"
    ),
    "new-game NAME": "tests/commands/test_new_game.py installs and plays what it writes",
    "serve --store postgresql://grandstand@127.0.0.1/grandstand --port 8001 --data one": (
        "needs PostgreSQL; tests/server/cluster/test_cluster.py starts such servers"
    ),
    "serve --store postgresql://grandstand@127.0.0.1/grandstand --bus redis://127.0.0.1:6379 --port 8001 --data one": (
        "needs PostgreSQL and Redis; tests/deploy/test_scale.py starts such servers"
    ),
    "serve --store postgresql://grandstand@127.0.0.1/grandstand --port 8002 --data two": (
        "needs PostgreSQL; tests/server/cluster/test_cluster.py starts such servers"
    ),
    "serve --port 8811": "the server of the tests is started so, at a free port",
    "train --config nano-diplomacy --set backend.engine=ray --set backend.address=10.0.0.1:6379"
    " --set backend.workers=8 --set backend.worker_resources.rollout=1 --set rollout.batch_groups=1": (
        "needs a cluster; tests/trainer/ray/test_backend.py starts one"
    ),
    "tournament diplomacy --players search,dumbbot --matches 70 --records /shared/cup --jobs 8"
    " --command ssh node{slot} '/shared/grandstand/.venv/bin/grandstand {arguments}'": (
        "needs other machines; tests/campaigns/test_match_commands.py plays matches by commands"
    ),
    "eval diplomacy --player search --records /shared/eval --jobs 32 --ray 10.0.0.1:6379": (
        "needs a cluster; tests/trainer/ray/test_command.py starts one"
    ),
}
"""Arguments as they are documented -> why they are not run."""

"""One example of every event that may be published."""

from __future__ import annotations

from typing import Any

EXAMPLES: dict[str, dict[str, Any]] = {
    "SeedSet": {"seed": 3},
    "EpisodeStarted": {"resumed": "t"},
    "TurnStarted": {"index": 0, "turn": "t", "to_act": ["A"], "scores": {"A": 0.5}},
    "ActionChosen": {"seat": "A", "index": 0, "action": {"x": [1]}, "source": "remote"},
    "ActionRejected": {"seat": "A", "index": 0, "action": {"x": 1}, "field": "x", "reason": "no"},
    "PlayerThinking": {"seat": "A", "index": 0, "stage": "choosing", "seconds": 1.5, "tokens": 3, "retries": 0},
    "ActionRequested": {"seat": "A", "index": 0, "kind": "choose", "deadline": 1.5, "left": None, "ready": False},
    "NegotiationHeld": {"index": 0, "round": 1, "rounds": 2},
    "PlayerReported": {
        "seat": "A",
        "index": 0,
        "task": "choose",
        "source": "policy",
        "report": {"usage": {"seconds": 1.5, "dollars": 0.1}, "attempts": [{"reply": "r"}], "thought": "t"},
    },
    "TurnRecorded": {
        "seat": "A",
        "index": 0,
        "policy": "p",
        "version": 1,
        "temperature": 1.0,
        "prompt": [1],
        "completion": [2],
        "logprobs": [-0.5],
        "allowed": [[2, 3]],
        "features": {"f": 0.5},
    },
    "ReportUpdated": {
        "report": {
            "headline": "Undecided",
            "sections": [
                {"id": "all", "title": "All", "body": {"kind": "notes", "notes": [{"text": "Nothing yet."}]}},
            ],
        },
        "order": ["all"],
        "rows": [{"section": "all", "rows": [{"id": "1", "cells": [{"value": 1.5, "low": 1.0, "high": 2.0}]}]}],
        "text": "A match ended.",
    },
    "LeagueRated": {
        "step": 5,
        "players": [
            {"name": "r@v000005", "label": "v5", "kind": "policy", "version": 5, "rating": {"mean": 1510.0, "n": 8}},
            {"name": "random", "label": "random", "kind": "bot", "rating": {"mean": 1400.0}, "share": 0.1},
        ],
        "payoffs": [
            {
                "player": "v5",
                "opponent": "random",
                "wins": 3,
                "draws": 1,
                "losses": 0,
                "games": 4,
                "share": {"mean": 0.875, "n": 2},
            }
        ],
    },
    "PairingsDrawn": {
        "planned": 2,
        "pairings": [{"number": 0, "round": 1, "opening": 0, "players": {"A": "p", "B": "q"}}],
    },
    "PairingBegan": {"number": 0, "episode_id": "chess-1"},
    "PairingPlayed": {
        "number": 0,
        "episode_id": "chess-1",
        "status": "finished",
        "scores": {"A": 1.0, "B": 0.0},
        "counted": ["A"],
        "faults": {"B": 1},
        "fallbacks": {"B": 1},
    },
    "PlayerFault": {"seat": "A", "boundary": "player", "message": "m"},
    "ControlChanged": {"command": "pace", "value": 1.5, "by": "b"},
    "SeatOpened": {"seat": "A", "token_sha256": "0" * 64},
    "FactNoted": {"kind": "capture", "text": "A fact.", "importance": 0.5, "rests_on": [2]},
    "CommentAdded": {"text": "A line.", "importance": 0.5, "rests_on": [2], "beat": "orders"},
    "CommentatorFault": {"commentator": "m", "boundary": "timeout", "message": "m", "lines": 2},
    "CommentatorReported": {"commentator": "m", "lines": 2, "used": 1, "report": {"usage": {"seconds": 1.5}}},
    "VoiceReady": {"comment": 3, "clip": "5e", "seconds": 2.5, "words": [{"text": "A", "start": 0.1}]},
    "VoiceChanged": {"kind": "browser", "reason": "the provider does not answer"},
    "OutlookUpdated": {"chances": {"A": 0.5}, "excitement": 0.5, "headline": "Close."},
    "MessageHeld": {"id": "m", "seat": "A", "action": {"x": 1}},
    "PrivateBatch": {
        "events": [
            {"type": "EpisodeStarted", "audience": ["A"], "data": {"resumed": "t"}},
        ],
    },
    "EpisodeEnded": {
        "status": "finished",
        "outcome": {"reason": "r", "winners": ["A"], "scores": {"A": 1.0}, "text": "t"},
        "message": "",
    },
}

CREATED: dict[str, Any] = {
    "game": "chess",
    "title": "t",
    "options": {"x": 1.5},
    "seats": [{"seat": "A", "player": "p", "kind": "remote"}],
    "origin": "publisher",
    "delay": 1.0,
    "clock": 1.0,
    "parent": {"episode_id": "e", "seq": 1},
    "training": {"run": "training-1", "stage": "training", "step": 3},
}

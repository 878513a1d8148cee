"""Folders as repositories of the Hugging Face Hub, or of a server that speaks its protocol.

huggingface_hub is imported when something is pushed or pulled: it is in the extras `hub` and `train`. It reads
`HF_ENDPOINT` and `HF_TOKEN`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from grandstand.games.base import OptionError

PREFIX = "hf:"
_REPOSITORY = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")
RepositoryKind = Literal["dataset", "model"]


class HubFailed(Exception):
    """The Hub refused an upload or a download. The message gives the reason, without the token."""


def repository(target: str, option: str = "to") -> str:
    """Return `owner/name` of a target `hf:owner/name`. Raises OptionError naming the option."""
    name = target.removeprefix(PREFIX)
    if not target.startswith(PREFIX) or _REPOSITORY.fullmatch(name) is None:
        raise OptionError(f"{option}: {target!r} is not {PREFIX}OWNER/NAME")
    return name


def push(
    folder: Path,
    target: str,
    *,
    public: bool = False,
    kind: RepositoryKind = "dataset",
    message: str = "Add decisions of Grandstand matches",
) -> str:
    """Upload a folder to a repository, which is created if needed; return its address.¶Raises OptionError without
    huggingface_hub or for an invalid target, HubFailed if the Hub refuses."""
    name = repository(target)
    with _translated(name, "to"):
        from huggingface_hub import HfApi

        api = HfApi()
        address = api.create_repo(name, repo_type=kind, private=not public, exist_ok=True)
        api.upload_folder(repo_id=name, repo_type=kind, folder_path=folder, commit_message=message)
    return str(address)


def pull(target: str, folder: Path, wanted: Callable[[str], bool], revision: str = "") -> str:
    """Download the `wanted` files of a model repository into a new folder; return their commit.

    Raises OptionError without huggingface_hub or for an invalid target, HubFailed if the Hub refuses.
    """
    name = repository(target, "from")
    with _translated(name, "from"):
        from huggingface_hub import HfApi

        api = HfApi()
        commit = api.model_info(name, revision=revision or None).sha
        for file in filter(wanted, api.list_repo_files(name, revision=commit)):
            api.hf_hub_download(name, file, revision=commit, local_dir=folder)
    return str(commit)


@contextmanager
def _translated(name: str, option: str) -> Iterator[None]:
    """Turn the client's errors into HubFailed."""
    if find_spec("huggingface_hub") is None:
        raise OptionError(f"{option}: the Hub needs huggingface_hub: install grandstand[hub]")
    from httpx2 import TransportError
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    right = {"to": "write", "from": "read"}[option]
    try:
        yield
    except LocalTokenNotFoundError as error:
        raise HubFailed(f"{name}: no token; set HF_TOKEN or run `hf auth login`") from error
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no"
        remedy = {
            401: f"; set HF_TOKEN to a token that may {right}",
            403: f"; the token may not {right} there",
            404: "; there is no such repository or revision, or the token may not read it",
        }
        raise HubFailed(f"{name}: the Hub answered with status {status}{remedy.get(status, '')}") from error
    except (OSError, TransportError) as error:
        raise HubFailed(f"{name}: the Hub cannot be reached: {error}") from error

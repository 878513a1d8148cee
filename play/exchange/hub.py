"""A folder of decisions as a dataset repository of the Hugging Face Hub, or of a server that speaks its protocol.

huggingface_hub is imported when something is pushed: it is in the extra `hub`. It reads `HF_ENDPOINT` and `HF_TOKEN`.
"""

from __future__ import annotations

import re
from importlib.util import find_spec
from pathlib import Path

from grandstand.games.base import OptionError

PREFIX = "hf:"
_REPOSITORY = re.compile(r"[\w.-]{1,96}/[\w.-]{1,96}")


class PushFailed(Exception):
    """The Hub did not take the folder; the message says why, without a token."""


def repository(target: str) -> str:
    """Return `owner/name` of a target `hf:owner/name`. Raises OptionError."""
    name = target.removeprefix(PREFIX)
    if not target.startswith(PREFIX) or _REPOSITORY.fullmatch(name) is None:
        raise OptionError(f"to: {target!r} is not {PREFIX}OWNER/NAME")
    return name


def push(folder: Path, target: str, *, public: bool = False) -> str:
    """Upload a folder to a dataset repository, which is made where there is none; return its address.

    Raises OptionError without huggingface_hub or for a target that is none, PushFailed if the Hub refuses.
    """
    name = repository(target)
    if find_spec("huggingface_hub") is None:
        raise OptionError("to: pushing needs huggingface_hub: install grandstand[hub]")
    from httpx2 import TransportError
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError, LocalTokenNotFoundError
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    api = HfApi()
    try:
        address = api.create_repo(name, repo_type="dataset", private=not public, exist_ok=True)
        api.upload_folder(
            repo_id=name, repo_type="dataset", folder_path=folder, commit_message="Add decisions of Grandstand matches"
        )
    except LocalTokenNotFoundError as error:
        raise PushFailed(f"{name}: no token; set HF_TOKEN or run `hf auth login`") from error
    except HfHubHTTPError as error:
        status = error.response.status_code if error.response is not None else "no"
        remedy = {401: "; set HF_TOKEN to a token that may write", 403: "; the token may not write there"}
        raise PushFailed(f"{name}: the Hub answered with status {status}{remedy.get(status, '')}") from error
    except (OSError, TransportError) as error:
        raise PushFailed(f"{name}: the Hub cannot be reached: {error}") from error
    return str(address)

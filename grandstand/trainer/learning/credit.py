"""Credit over several decisions: generalized advantage estimation with the mean return of a decision's peers as value.

Source: GAE arXiv:1506.02438. No tensors.
"""

from __future__ import annotations

from collections.abc import Sequence


def generalized(compared: Sequence[float | None], gamma: float, gae_lambda: float) -> list[float | None]:
    """Return the generalized advantages of one trajectory's decisions, in order.

    `compared` are their returns G minus their values V; None for a decision without a value, which is skipped.
    With r = G[t] - gamma * G[t + 1] as the reward of decision t, the advantage is the sum over k of
    (gamma * lambda)^k * (r[t + k] + gamma * V[t + k + 1] - V[t + k]), which the returns and values telescope to

        A[t] = (G - V)[t] - gamma * ((G - V)[t + 1] - lambda * A[t + 1])

    So with lambda = 1 it is the return minus the value, and with lambda = 0 the difference over one decision.

    >>> generalized([3.0, 2.0], gamma=1.0, gae_lambda=0.0)
    [1.0, 2.0]
    """
    result: list[float | None] = []
    excess, discount = 0.0, 1.0
    """(G - V) - lambda * A of the next decision that has a value, and the discount until then."""
    for difference in reversed(compared):
        discount *= gamma
        if difference is None:
            result.append(None)
            continue
        advantage = difference - discount * excess
        result.append(advantage)
        excess, discount = difference - gae_lambda * advantage, 1.0
    return result[::-1]

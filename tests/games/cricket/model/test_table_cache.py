from grandstand.games.cricket.model.table_cache import BoundedCache


class Block:
    def __init__(self, nbytes: int) -> None:
        self.nbytes = nbytes


def test_what_is_there_is_not_built_again() -> None:
    kept, built = BoundedCache(100), []

    def build() -> Block:
        built.append(1)
        return Block(10)

    assert not kept.has("a")
    assert kept.get("a", build) is kept.get("a", build)
    assert built == [1]
    assert kept.has("a")
    assert kept.nbytes == 10


def test_what_was_used_longest_ago_is_given_up_and_no_more_bytes_are_kept_than_the_limit() -> None:
    kept = BoundedCache(100)
    for name in "abc":
        kept.get(name, lambda: Block(30))
    kept.has("a")
    kept.get("d", lambda: Block(40))
    assert [kept.has(name) for name in "abcd"] == [True, False, True, True]
    assert kept.nbytes == 100
    kept.clear()
    assert kept.nbytes == 0


def test_an_entry_beyond_the_limit_is_kept_alone() -> None:
    kept = BoundedCache(100)
    kept.get("a", lambda: Block(30))
    kept.get("b", lambda: Block(500))
    assert kept.has("b")
    assert not kept.has("a")


def test_building_may_build_other_entries() -> None:
    kept = BoundedCache(100)
    outer = kept.get("outer", lambda: Block(1 + kept.get("inner", lambda: Block(5)).nbytes))
    assert outer.nbytes == 6
    assert kept.nbytes == 11

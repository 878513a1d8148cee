"""The map of a card: owners, centres and units where they are."""

from __future__ import annotations

from grandstand.games.cards import Area, Disc, Words
from grandstand.games.diplomacy.card.board import picture
from grandstand.games.diplomacy.card.colours import LAND, STRONG, WASH
from grandstand.games.diplomacy.card.sheet import sheet

STATE = {
    "phase": "S1901M",
    "units": {"FRANCE": ["A PAR", "F STP/NC"], "TURKEY": ["F BLA"]},
    "retreats": {"ITALY": {"A VEN": ["ROM"]}},
    "centers": {"FRANCE": ["PAR", "STP"], "TURKEY": ["CON"]},
}
SCENE = [("PhaseAdvanced", {"phase": "S1901M", "state": STATE})]


def fills() -> dict[str, str]:
    """Return the colour of each land."""
    rings = {id(province.rings): code for code, province in sheet().provinces.items()}
    return {rings[id(shape.rings)]: shape.fill for shape in picture(SCENE) if id(getattr(shape, "rings", 0)) in rings}  # type: ignore[union-attr]


def test_each_land_has_the_colour_of_its_owner() -> None:
    colours = fills()
    assert (colours["PAR"], colours["CON"], colours["MUN"]) == (WASH["FRANCE"], WASH["TURKEY"], LAND)
    assert colours["BUR"] == WASH["FRANCE"]
    assert "BLA" not in colours


def test_units_stand_at_their_coast_and_dislodged_ones_beside() -> None:
    letters = {(shape.text, round(shape.at[0])) for shape in picture(SCENE) if isinstance(shape, Words)}
    assert ("F", round(sheet().unit("STP/NC")[0])) in letters
    assert ("T", round(sheet().unit("BLA")[0])) in letters
    assert ("I", round(sheet().dislodged("VEN")[0])) in letters
    assert len(letters) == 4


def test_centres_have_the_strong_colour_of_their_owner() -> None:
    discs = {shape.centre: shape.fill for shape in picture(SCENE) if isinstance(shape, Disc)}
    paris, munich = sheet().provinces["PAR"].center, sheet().provinces["MUN"].center
    assert paris
    assert munich
    assert (discs[paris], discs[munich]) == (STRONG["FRANCE"], LAND)
    assert any(isinstance(shape, Area) for shape in picture(SCENE))

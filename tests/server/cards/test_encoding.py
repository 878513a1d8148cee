"""Cards and clips as files of a bounded size."""

from __future__ import annotations

import io
from random import Random

import pytest
from PIL import Image

from grandstand.server.cards import encoding
from grandstand.server.cards.drawing import card_svg, clip_frames, clip_moments
from grandstand.server.cards.encoding import LARGEST_CLIP, encoded_card, encoded_clip, gif, halved
from tests.support.play.recordings import recorded


def svg(*elements: str) -> str:
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="630">{"".join(elements)}</svg>'


def noise(seed: int) -> str:
    draw = Random(seed)
    return svg(
        *(
            f'<circle cx="{draw.uniform(0, 1200)}" cy="{draw.uniform(0, 630)}" r="{draw.uniform(2, 12)}" '
            f'fill="#{draw.randrange(16**6):06x}"/>'
            for _ in range(4000)
        )
    )


def test_a_card_has_the_size_that_link_previews_ask_for() -> None:
    image = Image.open(io.BytesIO(encoded_card(card_svg(recorded("diplomacy")[:60]))))
    assert (image.format, image.size) == ("PNG", (1200, 630))


def test_owners_have_their_colours_in_the_file() -> None:
    image = Image.open(io.BytesIO(encoded_card(card_svg(recorded("diplomacy")[:3])))).convert("RGB")
    assert image.getpixel((150, 480)) == (247, 241, 227)  # Spain belongs to nobody yet
    assert image.getpixel((590, 300)) == (201, 172, 193)  # Moscow is Russia's


@pytest.mark.long
def test_a_clip_is_made_smaller_until_it_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encoding, "LARGEST_CLIP", 400_000)
    frames = [noise(seed) for seed in range(4)]
    clip = encoded_clip(frames, [1.0] * 4)
    assert len(clip) <= 400_000
    image = Image.open(io.BytesIO(clip))
    assert image.size[0] < 720


def test_the_clip_of_a_match_fits_at_once() -> None:
    events = recorded("cricket")
    moments, seconds = clip_moments(events, 0, 120)
    clip = encoded_clip(clip_frames(events, moments), seconds)
    image = Image.open(io.BytesIO(clip))
    assert len(clip) <= LARGEST_CLIP
    assert (image.size, getattr(image, "n_frames", 1)) == ((720, 378), len(moments))


def test_a_clip_has_every_frame_for_its_time() -> None:
    frames = [svg(f'<rect width="{200 * number + 200}" height="630" fill="#c2261c"/>') for number in range(5)]
    clip = Image.open(io.BytesIO(gif(frames, [0.2, 0.3, 0.4, 0.5, 2.5], 0.5)))
    assert (clip.format, clip.size, getattr(clip, "n_frames", 1), clip.info["loop"]) == ("GIF", (600, 315), 5, 0)
    durations, edges = [], []
    for number in range(5):
        clip.seek(number)
        durations.append(clip.info["duration"])
        row = [clip.convert("RGB").getpixel((x, 15)) for x in range(600)]
        edges.append(sum(pixel == (194, 38, 28) for pixel in row))
    assert durations == [200, 300, 400, 500, 2500]
    assert edges == [100, 200, 300, 400, 500]


def test_a_frame_that_equals_the_one_before_is_drawn_once(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn: list[str] = []

    def counted(card: str, scale: float) -> bytes:
        drawn.append(card)
        return png(card, scale)

    png = encoding._png
    monkeypatch.setattr(encoding, "_png", counted)
    one, other = svg('<rect width="9" height="9"/>'), svg('<rect width="99" height="99"/>')
    clip = Image.open(io.BytesIO(encoded_clip([one, one, other, one, one], [0.2, 0.3, 0.4, 0.5, 2.5])))
    durations = []
    for number in range(getattr(clip, "n_frames", 1)):
        clip.seek(number)
        durations.append(clip.info["duration"])
    assert (drawn, durations) == ([one, other, one], [500, 400, 3000])


def test_frames_left_out_give_their_time_to_the_next() -> None:
    kept, seconds = halved(["0", "1", "2", "3", "4"], [1.0, 2.0, 3.0, 4.0, 9.0])
    assert kept == ["0", "2", "4"]
    assert seconds == [1.0, 5.0, 9.0]
    kept, _ = halved(["0", "1", "2", "3"], [1.0, 2.0, 3.0, 4.0])
    assert kept == ["1", "3"]

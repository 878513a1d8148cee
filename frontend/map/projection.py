"""The map's projection: a globe seen from above Bohemia, with the crowded middle of Europe nearest the eye.

Azimuthal about ``CENTRE``: bearings from there are true, and a point at angular distance t lies at radius
``SCALE * sin(K t) / K``. K = 1 is the orthographic view; K > 1 shrinks the rim further (at 22 degrees, the frame's
edge, radial scale is cos(K * 22 degrees) = 0.77), which leaves the room to the small provinces in the middle.
"""

import math

WIDTH, HEIGHT = 1240.0, 1110.0
CENTRE = (15.0, 49.5)  # lon, lat
EYE = (636.0, 668.0)  # where CENTRE stands in the drawing
K = 1.8
SCALE = 1750.0
LIMIT = math.pi / 2 / K  # beyond it the radius would shrink again

LON0, LAT0 = math.radians(CENTRE[0]), math.radians(CENTRE[1])
Point = tuple[float, float]


def project(lon: float, lat: float) -> Point:
    """Return drawing coordinates (x to the right, y down, both in units of the view box) of degrees lon, lat."""
    east, north = math.radians(lon) - LON0, math.radians(lat)
    x = math.cos(north) * math.sin(east)
    y = math.cos(LAT0) * math.sin(north) - math.sin(LAT0) * math.cos(north) * math.cos(east)
    z = math.sin(LAT0) * math.sin(north) + math.cos(LAT0) * math.cos(north) * math.cos(east)
    chord = math.hypot(x, y)
    if chord == 0.0:
        return EYE
    radius = SCALE / K * math.sin(K * min(math.atan2(chord, z), LIMIT))
    return EYE[0] + radius * x / chord, EYE[1] - radius * y / chord


def unproject(x: float, y: float) -> Point:
    """Return degrees (lon, lat) of a point of the drawing; the inverse of ``project`` inside ``LIMIT``."""
    right, up = x - EYE[0], EYE[1] - y
    radius = math.hypot(right, up)
    if radius == 0.0:
        return CENTRE
    angle = math.asin(radius * K / SCALE) / K
    lat = math.asin(math.cos(angle) * math.sin(LAT0) + up / radius * math.sin(angle) * math.cos(LAT0))
    lon = LON0 + math.atan2(
        right * math.sin(angle), radius * math.cos(LAT0) * math.cos(angle) - up * math.sin(LAT0) * math.sin(angle)
    )
    return math.degrees(lon), math.degrees(lat)

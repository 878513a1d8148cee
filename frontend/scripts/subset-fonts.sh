#!/bin/sh
# Write src/fonts: the characters that nearly every text needs, of the faces that the page shows first. The rest of each
# face is the file of @fontsource, which a browser fetches only for a page that has other characters.
#
#   pip install fonttools brotli && frontend/scripts/subset-fonts.sh
set -eu
cd "$(dirname "$0")/.."
# The same list is in src/fonts.css.
BASIC=U+20-7E,U+A0,U+B0-B1,U+B7,U+D7,U+2009,U+2013-2014,U+2018-2019,U+201C-201D,U+2026,U+202F,U+2212
for face in barlow-semi-condensed-400 barlow-semi-condensed-600 spectral-500; do
  family=${face%-*} weight=${face##*-}
  pyftsubset "node_modules/@fontsource/$family/files/$family-latin-$weight-normal.woff2" --unicodes="$BASIC" \
    --layout-features=kern,mark,mkmk,ccmp,locl,liga,calt,tnum,lnum --no-hinting --flavor=woff2 \
    --output-file="src/fonts/$family-basic-$weight.woff2"
done

#!/bin/sh
# Play a seat of any game to the end of its match: sh examples/bots/bot.sh URL EPISODE SEAT TOKEN
# It takes every default, and the first option where there is none. It needs curl 7.71.

seat="$1/api/episodes/$2/seats/$3" token="$4"

# Print the answer; curl asks again while there is none, which is safe with a number.
call() {
    curl --silent --retry 90 --retry-delay 1 --retry-all-errors --max-time 90 \
        --header "Authorization: Bearer $token" --header 'Content-Type: application/json' "$@"
}

# Print the first value of that name in the last view.
value() { printf %s "$view" | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d : -f 2- | tr -d '"'; }

# Print the action that the defaults make; it is the last field of the choices.
action() {
    choices=$(call --data "{\"chosen\": {$1}}" "$seat/choices") made="${choices##*,\"action\":}"
    first='.*"name":\("[^"]*"\),"prompt":"[^"]*","options":\[{"word":\("[^"]*"\).*"default":null}.*'
    case "$made" in
        null*) action "$1${1:+,}$(printf %s "${choices%,\"chosen\":*}" | sed "s/$first/\1:\2/")" ;;
        *) printf %s "${made%\}}" ;;
    esac
}

while view=$(call "$seat?wait=30"); do
    case "$(value asked)" in
        choose) call --data "{\"action\": $(action), \"number\": $(value number)}" "$seat" >&2 ;;
        negotiate) call --data "{\"messages\": [], \"number\": $(value number)}" "$seat" >&2 ;;
        null) ;;
        *) [ "$(value field)" = seat ] || break # or two turns were missed, and a built-in player has the seat
            call --request POST "$seat/take" >&2 ;;
    esac
done
value detail

#!/bin/sh
# Play a seat to the end of its match: sh examples/bot.sh URL EPISODE SEAT TOKEN
# It holds in Diplomacy, and in cricket it calls what has to be called, by default. It needs curl 7.71.

seat="$1/api/episodes/$2/seats/$3" token="$4"

# Print the answer; curl asks again while there is none, which is safe with a number.
call() {
    curl --silent --retry 90 --retry-delay 1 --retry-all-errors --max-time 90 \
        --header "Authorization: Bearer $token" --header 'Content-Type: application/json' "$@"
}

# Print the first value of that name in the last view.
value() { printf %s "$view" | grep -o "\"$1\":[^,}]*" | head -n 1 | cut -d : -f 2- | tr -d '"'; }

while view=$(call "$seat?wait=30"); do
    number=$(value number) must=$(value must) action='{"orders": []}'
    [ -z "$must" ] || action="{\"tool\": \"$must\", \"arguments\": {}}"
    case "$(value asked)" in
        choose) call --data "{\"action\": $action, \"number\": $number}" "$seat" >&2 ;;
        negotiate) call --data "{\"messages\": [], \"number\": $number}" "$seat" >&2 ;;
        null) ;;
        *) [ "$(value field)" = seat ] || break # or two turns were missed, and a built-in player has the seat
            call --request POST "$seat/take" >&2 ;;
    esac
done
value detail

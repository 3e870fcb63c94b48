#!/bin/sh
# Looks at the variables of the bridge before Flightdeck is started, says what is missing, and starts it.
#
# A bridge that is not set up does not keep the rest from working: headless commands and tabs need none. What is wrong is told
# here and in the answer to each interactive request. FLIGHTDECK_BRIDGE_REQUIRED=1 makes it an error.
set -eu

problems=0

say() {
    printf 'flightdeck: %s\n' "$*" >&2
}

problem() {
    problems=$((problems + 1))
    say "bridge: $*"
}

# number NAME USUAL MOST: exports it, with its usual value when it is empty.
number() {
    value=$(printenv "$1" || true)
    value=${value:-$2}
    case $value in
    '' | *[!0-9]*) problem "$1 is '$value', and must be a number from 1 to $3" ;;
    *)
        if [ "${#value}" -gt 6 ] || [ "$value" -lt 1 ] || [ "$value" -gt "$3" ]; then
            problem "$1 is '$value', and must be a number from 1 to $3"
        fi
        ;;
    esac
    export "$1=$value"
}

: "${PM_RUNNING_IN_CONTAINER:=true}"
: "${PM_TERM_ADAPTER_MODE:=container_bridge}"
export PM_RUNNING_IN_CONTAINER PM_TERM_ADAPTER_MODE

case $PM_TERM_ADAPTER_MODE in
auto | container_bridge)
    number PM_INTERACTIVE_TERMINAL_HOST_PORT 45459 65535
    number PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS 3000 300000
    number PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS 30000 300000
    token_file=${PM_INTERACTIVE_TERMINAL_TOKEN_FILE:-}
    if [ -n "${PM_INTERACTIVE_TERMINAL_TOKEN:-}" ]; then
        [ "${#PM_INTERACTIVE_TERMINAL_TOKEN}" -ge 32 ] ||
            problem "PM_INTERACTIVE_TERMINAL_TOKEN has less than 32 characters"
    elif [ -z "$token_file" ]; then
        problem "neither PM_INTERACTIVE_TERMINAL_TOKEN_FILE nor PM_INTERACTIVE_TERMINAL_TOKEN is set"
    elif [ ! -r "$token_file" ]; then
        problem "PM_INTERACTIVE_TERMINAL_TOKEN_FILE names $token_file, which can't be read here"
    fi
    hosts="${PM_INTERACTIVE_TERMINAL_HOST_ALIAS:-} ${PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS:-}"
    hosts="$hosts host.containers.internal host.docker.internal"
    known=
    for host in $hosts; do
        if getent hosts "$host" >/dev/null 2>&1; then
            known=$host
            break
        fi
    done
    if [ -n "$known" ]; then
        say "bridge: interactive work goes to $known, port $PM_INTERACTIVE_TERMINAL_HOST_PORT"
    else
        problem "none of these names stands for an address here: $hosts; map one with --add-host"
    fi
    ;;
local | bundled)
    say "PM_TERM_ADAPTER_MODE is $PM_TERM_ADAPTER_MODE: the bridge is not used"
    ;;
*)
    problem "PM_TERM_ADAPTER_MODE is '$PM_TERM_ADAPTER_MODE': local, bundled, container_bridge or auto"
    ;;
esac

if [ "$problems" -gt 0 ]; then
    say "interactive requests will fail until this is put right; docs/operators.md says how"
    if [ "${FLIGHTDECK_BRIDGE_REQUIRED:-}" = 1 ]; then
        exit 78
    fi
fi

exec flightdeck "$@"

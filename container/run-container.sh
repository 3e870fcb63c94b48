#!/bin/sh
# Runs the image with a folder as its workspace and the bridge to this machine's hub.
#
#   container/run-container.sh [DIR] [ARGUMENT OF FLIGHTDECK...]
#
# FLIGHTDECK_IMAGE, FLIGHTDECK_ENGINE (podman or docker), FLIGHTDECK_BRIDGE_TOKEN and FLIGHTDECK_BRIDGE_ADDRESS (the file and the
# address that `flightdeck status` names) and the PM_ variables of docs/operators.md change what is usual.
set -eu

dir=${1:-.}
[ $# -eq 0 ] || shift
dir=$(cd "$dir" && pwd)
image=${FLIGHTDECK_IMAGE:-flightdeck}
engine=${FLIGHTDECK_ENGINE:-}
if [ -z "$engine" ]; then
    for engine in podman docker ''; do
        if [ -n "$engine" ] && command -v "$engine" >/dev/null; then
            break
        fi
    done
fi
if [ -z "$engine" ]; then
    echo "run-container: neither podman nor docker is installed" >&2
    exit 69
fi

# The hub of the folder knows where its bridge listens, and which file has the token.
bridge=
if command -v flightdeck >/dev/null; then
    bridge=$(flightdeck --workspace "$dir" status --json 2>/dev/null | tr -d '\n' | sed -n 's/.*"bridge": *{\([^}]*\)}.*/\1/p')
fi
# told NAME: the text of this name there.
told() {
    printf '%s' "$bridge" | sed -n 's/.*"'"$1"'": *"\([^"]*\)".*/\1/p'
}
listens=$(told address)
address=${FLIGHTDECK_BRIDGE_ADDRESS:-${listens%:*}}
address=${address:-127.0.0.1}
port=${PM_INTERACTIVE_TERMINAL_HOST_PORT:-${listens##*:}}
port=${port:-45459}
token=${FLIGHTDECK_BRIDGE_TOKEN:-$(told tokenFile)}
set -- "$image" "$@"

# Inside it is whoever starts it: nobody else can read the token, and the files of the workspace stay theirs. But never root, who
# hands the token over as a variable instead.
if [ "$(id -u)" -ne 0 ]; then
    set -- --user "$(id -u):$(id -g)" "$@"
    # Podman without root gives the person's number to root otherwise, and would call the workspace their home.
    [ "${engine##*/}" != podman ] ||
        set -- --userns keep-id --passwd-entry "pilot:*:$(id -u):$(id -g)::/home/pilot:/bin/bash" "$@"
fi
if [ -z "$token" ]; then
    echo "run-container: warning: no token of a bridge is known: run \`flightdeck serve --bridge\` in $dir first, or set" \
        "FLIGHTDECK_BRIDGE_TOKEN" >&2
elif [ "$(id -u)" -ne 0 ]; then
    set -- --volume "$token:/run/secrets/flightdeck-bridge:ro" "$@"
else
    PM_INTERACTIVE_TERMINAL_TOKEN=$(cat "$token")
    export PM_INTERACTIVE_TERMINAL_TOKEN
    set -- --env PM_INTERACTIVE_TERMINAL_TOKEN "$@"
fi

# A look before the start: whoever starts the container sees at once that nobody listens.
reachable() {
    if command -v nc >/dev/null; then
        nc -z -w 2 "$1" "$port"
    elif command -v bash >/dev/null; then
        timeout 2 bash -c ": </dev/tcp/$1/$port"
    else
        return 2
    fi
}
if ! reachable "$address" 2>/dev/null; then
    echo "run-container: warning: nobody listens at $address, port $port: interactive requests will fail with" \
        "PM_TERM_GUI_UNAVAILABLE until \`flightdeck serve --bridge\` runs" >&2
fi
# A container has a loopback of its own. Where its engine runs in a virtual machine (macOS), the host's names lead to this one.
case $address in
127.* | ::1 | '[::1]' | localhost)
    case "$(uname -s) ${PM_INTERACTIVE_TERMINAL_HOST_ALIAS:-}" in
    'Linux ')
        echo "run-container: warning: the bridge is looked for at $address, which a container can't reach: run" \
            "\`flightdeck serve --bridge=ADDRESS\` with the address that containers have for this machine (docs/operators.md," \
            "\"The bridge\": 10.88.0.1 for podman as root, 172.17.0.1 for docker)" >&2
        ;;
    esac
    ;;
esac

# Podman knows the host by itself; docker is told.
if [ "${engine##*/}" = docker ]; then
    set -- --add-host host.docker.internal:host-gateway "$@"
fi
for name in PM_TERM_ADAPTER_MODE PM_INTERACTIVE_TERMINAL_HOST_ALIAS PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS \
    PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS \
    PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE PM_INTERACTIVE_TERMINAL_CONTAINER_NAME; do
    if [ -n "$(printenv "$name" || true)" ]; then
        set -- --env "$name" "$@"
    fi
done
exec "$engine" run --rm --interactive --env "PM_INTERACTIVE_TERMINAL_HOST_PORT=$port" \
    --volume "$dir:/workspace" "$@"

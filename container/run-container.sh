#!/bin/sh
# Runs the image with a folder as its workspace and the bridge to this machine's hub.
#
#   container/run-container.sh [DIR] [ARGUMENT OF FLIGHTDECK...]
#
# FLIGHTDECK_IMAGE, FLIGHTDECK_ENGINE (podman or docker), FLIGHTDECK_BRIDGE_TOKEN (the file that `flightdeck status` names) and the
# PM_ variables of docs/operators.md change what is usual.
set -eu

dir=${1:-.}
[ $# -eq 0 ] || shift
dir=$(cd "$dir" && pwd)
image=${FLIGHTDECK_IMAGE:-flightdeck}
port=${PM_INTERACTIVE_TERMINAL_HOST_PORT:-45459}
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

token=${FLIGHTDECK_BRIDGE_TOKEN:-}
if [ -z "$token" ] && command -v flightdeck >/dev/null; then
    token=$(flightdeck --workspace "$dir" status --json 2>/dev/null |
        sed -n 's/.*"tokenFile": *"\([^"]*bridge-token\)".*/\1/p' | head -n 1)
fi
set -- "$image" "$@"
if [ -n "$token" ]; then
    set -- --volume "$token:/run/secrets/flightdeck-bridge:ro" "$@"
else
    echo "run-container: warning: no token of a bridge is known: run \`flightdeck serve --bridge\` in $dir first, or set" \
        "FLIGHTDECK_BRIDGE_TOKEN" >&2
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
alias=${PM_INTERACTIVE_TERMINAL_HOST_ALIAS:-}
for host in ${FLIGHTDECK_BRIDGE_ADDRESS:-127.0.0.1} ''; do
    if [ -z "$host" ]; then
        echo "run-container: warning: nobody listens at port $port of this machine: interactive requests will fail with" \
            "PM_TERM_GUI_UNAVAILABLE until \`flightdeck serve --bridge\` runs" >&2
    elif reachable "$host" 2>/dev/null; then
        break
    fi
done

# Podman knows the host by itself; docker is told.
if [ "$engine" = docker ]; then
    set -- --add-host host.docker.internal:host-gateway "$@"
fi
for name in PM_TERM_ADAPTER_MODE PM_INTERACTIVE_TERMINAL_HOST_FALLBACK_ALIAS PM_INTERACTIVE_TERMINAL_CONNECT_TIMEOUT_MS \
    PM_INTERACTIVE_TERMINAL_REQUEST_TIMEOUT_MS PM_INTERACTIVE_TERMINAL_TRACE_BRIDGE PM_INTERACTIVE_TERMINAL_CONTAINER_NAME; do
    if [ -n "$(printenv "$name" || true)" ]; then
        set -- --env "$name" "$@"
    fi
done
if [ -n "$alias" ]; then
    set -- --env PM_INTERACTIVE_TERMINAL_HOST_ALIAS "$@"
fi
exec "$engine" run --rm --interactive --env "PM_INTERACTIVE_TERMINAL_HOST_PORT=$port" \
    --volume "$dir:/workspace" "$@"

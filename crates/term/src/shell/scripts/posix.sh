# Start-up file ($ENV) of a POSIX shell in a Flightdeck terminal. Such a shell has no hooks; its prompt, which is
# expanded each time, says how the last command ended. Nothing here forks or is exported.

# Children are to read the user's file, not this one.
if [ -n "${__flightdeck_env-}" ]; then
    ENV=$__flightdeck_env
    eval "__flightdeck_env=\"$ENV\""
    if [ -r "$__flightdeck_env" ]; then
        . "$__flightdeck_env"
    fi
else
    unset ENV
fi

# First line of a delivered file. Arguments: run, what to show, line for the history, status of the last command.
__flightdeck_begin() {
    __flightdeck_number=$((__flightdeck_number + 1)) __flightdeck_open=1 __flightdeck_status=
    __flightdeck_run=$1
    printf '\033[2m%b\033[22m\n\033]7733;%s;R;n=%s;r=%s\007' "$2" "$__flightdeck_nonce" "$__flightdeck_number" "$1" \
        >/dev/tty
    return "$__flightdeck_before"
}

# Last line of a delivered file. Argument: status.
__flightdeck_end() {
    __flightdeck_status=$1
    # Under `set -e` the `.` itself would end the shell for a status that didn't end it inside the file.
    case $- in *e*) return 0 ;; esac
    return "$1"
}

__flightdeck_number=0 __flightdeck_open=0 __flightdeck_status= __flightdeck_run= __flightdeck_before=0
__flightdeck_esc=$(printf '\033') __flightdeck_bel=$(printf '\007')
# What a line editor must not count as width, where it is known how to say so.
__flightdeck_hide= __flightdeck_show=
if [ -n "${BASH_VERSION-}${BB_ASH_VERSION-}" ]; then
    __flightdeck_hide='\[' __flightdeck_show='\]'
fi
# Shells that inherit an exported prompt don't inherit the nonce, and so print no mark. `z` only resets `o`.
PS1=$__flightdeck_hide'${__flightdeck_nonce:+'$__flightdeck_esc']7733;$__flightdeck_nonce;D;n=$__flightdeck_number'\
';x=$((__flightdeck_before=$?));s=$__flightdeck_status;r=$__flightdeck_run;o=$__flightdeck_open;W=${PWD-}'\
$__flightdeck_bel$__flightdeck_esc']7733;$__flightdeck_nonce;A;z=$((__flightdeck_open=0))'$__flightdeck_bel'}'\
$__flightdeck_show"${PS1-}"$__flightdeck_hide'${__flightdeck_nonce:+'$__flightdeck_esc\
']7733;$__flightdeck_nonce;F;n=$__flightdeck_number;x=$__flightdeck_before;s=$__flightdeck_status;r=$__flightdeck_run'\
$__flightdeck_bel$__flightdeck_esc']7733;$__flightdeck_nonce;B'$__flightdeck_bel'}'$__flightdeck_show
unset __flightdeck_esc __flightdeck_bel __flightdeck_hide __flightdeck_show

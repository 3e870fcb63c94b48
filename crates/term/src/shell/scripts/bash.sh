# Start-up file of a bash (4.4 or newer) in a Flightdeck terminal: the user's own files, then marks around prompts
# and commands. Nothing here forks or is exported. The lines above set what is particular to this terminal.
# Functions come before the user's files, so that no alias of theirs gets into them.

# A login shell comes here by $ENV in POSIX mode, which is not to be seen any more.
if [[ -n $__flightdeck_login ]]; then
    set +o posix
    builtin shopt -u inherit_errexit
    if [[ -n ${__flightdeck_env+set} ]]; then export ENV=$__flightdeck_env; else unset ENV; fi
    [[ ${HISTFILE-} == "${HOME-}/.sh_history" ]] && HISTFILE=${HOME-}/.bash_history
fi

# PROMPT_COMMAND runs this before anything else. Arguments: status, then the status of each stage.
__flightdeck_pre() {
    local status=$1 run=${__flightdeck_run-} number='\#' folder=${PWD-} last='\a' IFS=' '
    shift
    __flightdeck_pre_ran=1
    # The number of the command grows only when one ran: not after an empty line, a comment or Ctrl-C.
    number=${number@P}
    [[ $number == "$__flightdeck_number" ]] && return 0
    __flightdeck_number=$number
    if [[ -n $run ]]; then
        # A run that got to its end has told its stages, which `.` replaces by its own status.
        [[ -n ${__flightdeck_stages-} ]] && set -- $__flightdeck_stages && status=$__flightdeck_status
        __flightdeck_run= __flightdeck_stages=
    fi
    [[ $folder == *[[:cntrl:]%\;]* ]] && __flightdeck_encode "$folder" && folder=$__flightdeck_encoded
    # The newest line of the history is this command only if the history grew by it.
    [[ -z $run && ${HISTCMD-} == "$((__flightdeck_line + 1))" ]] && last=';h='
    __flightdeck_told="n=$number;x=$status;p=$*;r=$run"
    builtin printf '\e]7733;%s;D;%s;t=%s;w=%s%b' \
        "$__flightdeck_nonce" "$__flightdeck_told" "${EPOCHREALTIME-}" "$folder" "$last"
    [[ $last == '\a' ]] && return 0
    HISTTIMEFORMAT= builtin history 1
    builtin printf '\a'
} >/dev/tty

# PROMPT_COMMAND runs this after everything else, since others may have set PS1. Arguments as above.
__flightdeck_post() {
    [[ -z ${__flightdeck_pre_ran-} ]] && __flightdeck_pre "$@"
    __flightdeck_pre_ran=
    __flightdeck_hook
    if builtin shopt -q promptvars; then
        # Children that inherit an exported prompt don't inherit the nonce, and so print no mark.
        __flightdeck_wrap '\[${__flightdeck_nonce:+\e]7733;$__flightdeck_nonce;A\a}\]' \
            '\[${__flightdeck_nonce:+\e]7733;$__flightdeck_nonce;F;$__flightdeck_told\a\e]7733;$__flightdeck_nonce;B\a}\]' \
            '${__flightdeck_nonce:+\e]7733;$__flightdeck_nonce;C;n=\#;t=${EPOCHREALTIME-}\a}'
    else
        __flightdeck_wrap "\[\e]7733;$__flightdeck_nonce;A\a\]" "\[\e]7733;$__flightdeck_nonce;B\a\]" \
            "\e]7733;$__flightdeck_nonce;C;n=\#\a"
        # Nothing in such a prompt takes time.
        builtin printf '\e]7733;%s;F;%s\a' "$__flightdeck_nonce" "$__flightdeck_told" >/dev/tty
    fi
    [[ ${HISTIGNORE-} == *"$__flightdeck_ignore"* ]] ||
        HISTIGNORE=${HISTIGNORE:+$HISTIGNORE:}$__flightdeck_ignore
    __flightdeck_line=${HISTCMD-0}
    return 0
}

# Puts marks around PS1 and after PS0. Arguments: start, end, command start.
__flightdeck_wrap() {
    # Marks of before are taken out first: somebody may have put text around them.
    if [[ ${PS1-} != "$1"*"$2" ]]; then
        PS1=${PS1-}
        PS1=${PS1//"${__flightdeck_start:-$1}"}
        PS1=$1${PS1//"${__flightdeck_end:-$2}"}$2
    fi
    if [[ ${PS0-} != *"$3" ]]; then
        PS0=${PS0-}
        PS0=${PS0//"${__flightdeck_command:-$3}"}$3
    fi
    __flightdeck_start=$1 __flightdeck_end=$2 __flightdeck_command=$3
}

# Makes ours the first and the last of PROMPT_COMMAND, also when somebody has changed it since.
__flightdeck_hook() {
    if ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] < 501)); then
        # No arrays yet: one string.
        [[ ${PROMPT_COMMAND-} == "$__flightdeck_first"*"$__flightdeck_last" ]] && return 0
        local old=${PROMPT_COMMAND-}
        old=${old//"$__flightdeck_first"}
        old=${old//"$__flightdeck_last"}
        PROMPT_COMMAND=$__flightdeck_first$'\n'$old$'\n'$__flightdeck_last
        return 0
    fi
    local others=() last=() one
    # bash-preexec takes whatever runs after this function of its own for the user's command.
    [[ ${PROMPT_COMMAND[@]: -1} == __bp_interactive_mode ]] && last=(__bp_interactive_mode)
    [[ ${PROMPT_COMMAND[0]-} == "$__flightdeck_first" ]] &&
        [[ ${PROMPT_COMMAND[@]: -1-${#last[@]}:1} == "$__flightdeck_last" ]] && return 0
    for one in ${PROMPT_COMMAND[@]+"${PROMPT_COMMAND[@]}"}; do
        # Somebody may have made a longer string of one of ours.
        one=${one//"$__flightdeck_first"/:}
        one=${one//"$__flightdeck_last"/:}
        [[ $one == : || ${last[*]-} == "$one" ]] || others+=("$one")
    done
    PROMPT_COMMAND=("$__flightdeck_first" ${others[@]+"${others[@]}"} "$__flightdeck_last" ${last[@]+"${last[@]}"})
}

# Percent-encodes what a field can't hold.
__flightdeck_encode() {
    local LC_ALL=C i char
    __flightdeck_encoded=
    for ((i = 0; i < ${#1}; i++)); do
        char=${1:i:1}
        [[ $char == [[:cntrl:]%\;] ]] && builtin printf -v char '%%%02X' "'$char"
        __flightdeck_encoded+=$char
    done
}

# First line of a delivered file. Arguments: run, what to show, line for the history, status of the last command.
__flightdeck_begin() {
    local number='\#'
    __flightdeck_run=$1 __flightdeck_stages=
    [[ -n $3 && -o history ]] && builtin history -s -- "$3"
    builtin printf '\e[2m%b\e[22m\n\e]7733;%s;R;n=%s;r=%s;t=%s\a' \
        "$2" "$__flightdeck_nonce" "${number@P}" "$1" "${EPOCHREALTIME-}"
    return "$4"
} >/dev/tty

# Last line of a delivered file. Arguments: status, then the status of each stage.
__flightdeck_end() {
    local IFS=' '
    __flightdeck_status=$1
    shift
    __flightdeck_stages=$*
    # Under `set -e` the `.` itself would end the shell for a status that didn't end it inside the file.
    [[ $- == *e* ]] && return 0
    return "$__flightdeck_status"
}

# The redirections keep the trace of `set -x` and the output of a DEBUG trap off the screen; marks go to the terminal
# whatever stdout is. Newlines, since bash-preexec looks for whole lines to know a command of PROMPT_COMMAND.
__flightdeck_first=$'{\n__flightdeck_pre "$?" "${PIPESTATUS[@]}"\n} >/dev/null 2>&1'
__flightdeck_last=$'{\n__flightdeck_post "$?" "${PIPESTATUS[@]}"\n} >/dev/null 2>&1'
# The line that reads a delivered file is not the user's, and leaves no trace in the history.
__flightdeck_ignore=' . $FLIGHTDECK_RUN/*'

# One that is no login shell has read its system-wide file (/etc/bash.bashrc) by itself before this one.
if [[ -n $__flightdeck_login ]]; then
    [[ -r /etc/profile ]] && . /etc/profile
    if [[ -r ~/.bash_profile ]]; then
        . ~/.bash_profile
    elif [[ -r ~/.bash_login ]]; then
        . ~/.bash_login
    elif [[ -r ~/.profile ]]; then
        . ~/.profile
    fi
elif [[ -r ~/.bashrc ]]; then
    . ~/.bashrc
fi

# A DEBUG trap of the user is not to show this.
{
    # Keys that no keyboard sends: discard the line, whatever the keymap.
    builtin bind -m emacs '"\e[7733~": kill-whole-line'
    builtin bind -m vi-insert '"\e[7733~": kill-whole-line'
    builtin bind -m vi-command '"\e[7733~": "ddi"'
    __flightdeck_number='\#' __flightdeck_line=0 __flightdeck_told='n=0;x=0'
    __flightdeck_number=${__flightdeck_number@P}
    __flightdeck_hook
} >/dev/null 2>&1

# Marks around the prompts and commands of a zsh in a Flightdeck terminal. Nothing here forks or is exported.
# Each function puts the trace of `setopt xtrace` away and writes to the terminal whatever stdout is.

typeset -g +x __flightdeck_nonce __flightdeck_dir FLIGHTDECK_RUN
typeset -gi __flightdeck_number=0 __flightdeck_open=0
typeset -g __flightdeck_run= __flightdeck_whole= __flightdeck_status= __flightdeck_stages= __flightdeck_failed=
typeset -g __flightdeck_told='n=0;x=0'

# Comes first of all precmd functions, to see the status and to end the output.
__flightdeck_precmd() { {
    local -a stages=("$?" "${pipestatus[@]}")
    local pipefail=no
    [[ -o pipefail ]] && pipefail=yes
    emulate -L zsh -o extended_glob
    local exit_status=$stages[1] run=$__flightdeck_run folder=$PWD IFS=' '
    shift stages
    if (( __flightdeck_open )); then
        __flightdeck_open=0 __flightdeck_failed=
        # A run that got to its end has told its stages, which `.` replaces by its own status.
        if [[ -n $run && -n $__flightdeck_stages ]]; then
            stages=(${=__flightdeck_stages}) exit_status=$__flightdeck_status
        elif [[ -n $run && -n $__flightdeck_whole && $exit_status == 0 ]]; then
            # Ctrl-C in a loop of builtins may leave the status of the last one.
            exit_status=130 stages=(130)
        elif [[ -n $run && -n $__flightdeck_whole && $exit_status == 126 ]]; then
            # An error that ends a text, as a pattern without a match does, is 1; `.` makes another one of it.
            exit_status=1 stages=(1) __flightdeck_failed=yes
        fi
        # Assignments leave the stages of an older pipeline. With pipefail the statuses differ in earnest.
        [[ $pipefail == no && $stages[-1] != $exit_status ]] && stages=($exit_status)
        __flightdeck_run= __flightdeck_stages=
        folder=${folder//(#m)[$'\x01'-$'\x1f\x7f%;']/%${(l:2::0:)$(( [##16] #MATCH ))}}
        __flightdeck_told="n=$__flightdeck_number;x=$exit_status;p=${stages[*]};r=$run"
        builtin print -rn -- $'\e]7733;'"$__flightdeck_nonce;D;$__flightdeck_told;t=${EPOCHREALTIME-};w=$folder"$'\a'
    fi
    # Unless the command itself has set it, the user's end-of-line mark comes back.
    if [[ -n ${__flightdeck_eol-} && ${PROMPT_EOL_MARK-} == "$__flightdeck_eol" ]]; then
        if (( ${+__flightdeck_user_eol} )); then
            PROMPT_EOL_MARK=$__flightdeck_user_eol
        else
            unset PROMPT_EOL_MARK
        fi
    fi
    __flightdeck_eol=
} >/dev/tty 2>/dev/null }

# Comes last of all precmd functions, since others may have set PROMPT.
__flightdeck_prompt() { {
    local percent=no substitutes=no
    [[ -o promptpercent ]] && percent=yes
    [[ -o promptsubst ]] && substitutes=yes
    emulate -L zsh
    local again='%{${__flightdeck_again-}%}'
    typeset -g +x __flightdeck_again=$'\e]7733;'"$__flightdeck_nonce;F;$__flightdeck_told"$'\a'
    local is_last=yes start=$'\e]7733;'"$__flightdeck_nonce;A"$'\a' end=$'\e]7733;'"$__flightdeck_nonce;B"$'\a'
    [[ $precmd_functions[-1] == __flightdeck_prompt ]] || is_last=no
    [[ $is_last == yes && $precmd_functions[1] == __flightdeck_precmd &&
        $preexec_functions[-1] == __flightdeck_preexec ]] || __flightdeck_hook
    # A function that still comes this time may set PROMPT; and children would inherit an exported prompt with its
    # marks. In both cases the marks come a little before the prompt.
    if [[ $is_last == no || $percent == no || ${(t)PROMPT} == *export* ]]; then
        builtin print -rn -- "$start$__flightdeck_again$end"
    elif [[ $substitutes == no ]]; then
        builtin print -rn -- "$__flightdeck_again"
    fi
    if [[ $percent == no || ${(t)PROMPT} == *export* ]]; then
        return 0
    fi
    start="%{$start%}" end="%{$end%}"
    # Marks of before are taken out first: somebody may have put text around them.
    local bare=${PROMPT//"$again"}
    bare=${bare//"$start"}
    bare=${bare//"$end"}
    # What is substituted in a prompt may take time; nothing else in it does.
    [[ $substitutes == yes ]] && end=$again$end
    [[ $PROMPT == "$start$bare$end" ]] || PROMPT=$start$bare$end
} >/dev/tty 2>/dev/null }

# Comes last of all preexec functions, so that their output is not the command's. Arguments: as zsh gives them.
__flightdeck_preexec() { {
    emulate -L zsh -o extended_glob
    local text=${1:-${3-}}
    (( ++__flightdeck_number ))
    __flightdeck_open=1
    # zsh prints the mark of a missing newline before it calls any hook; it has to say where the output ended.
    if [[ ${(t)PROMPT_EOL_MARK} != *export* ]]; then
        # Ours is still there when somebody has taken our precmd function away.
        if [[ -z ${__flightdeck_eol-} || ${PROMPT_EOL_MARK-} != "$__flightdeck_eol" ]]; then
            unset __flightdeck_user_eol
            (( ${+PROMPT_EOL_MARK} )) && typeset -g +x __flightdeck_user_eol=$PROMPT_EOL_MARK
        fi
        typeset -g +x __flightdeck_eol=$'%{\e]7733;'"$__flightdeck_nonce;E;n=$__flightdeck_number"$'\a%}'
        __flightdeck_eol+=${__flightdeck_user_eol-%B%S%#%s%b}
        typeset -g +x PROMPT_EOL_MARK=$__flightdeck_eol
    fi
    text=${text[1,4096]//(#m)[$'\x01'-$'\x1f\x7f%']/%${(l:2::0:)$(( [##16] #MATCH ))}}
    builtin print -rn -- $'\e]7733;'"$__flightdeck_nonce;C;n=$__flightdeck_number;t=${EPOCHREALTIME-};c=$text"$'\a'
} >/dev/tty 2>/dev/null }

# The line that reads a delivered file is not the user's, and leaves no trace in the history.
__flightdeck_addhistory() {
    setopt local_options no_err_exit no_err_return
    [[ $1 != ' . $FLIGHTDECK_RUN/'* ]]
}

# First line of a delivered file. Arguments: run, what to show, line for the history, status of the last command,
# and something if only an interrupt or an error can keep it from its last line.
__flightdeck_begin() { {
    __flightdeck_run=$1 __flightdeck_stages= __flightdeck_whole=${5-}
    [[ -n $3 ]] && builtin print -rs -- "$3"
    builtin printf '\e[2m%b' "$2"
    builtin print -rn -- $'\e[22m\n\e]7733;'\
"$__flightdeck_nonce;R;n=$__flightdeck_number;r=$1;t=${EPOCHREALTIME-}"$'\a'
    [[ -n $__flightdeck_failed ]] && return 1
    return $4
} >/dev/tty }

# Last line of a delivered file. Arguments: status, then the status of each stage.
__flightdeck_end() {
    local IFS=' '
    __flightdeck_status=$1
    shift
    __flightdeck_stages="$*"
    # Under `set -e` the `.` itself would end the shell for a status that didn't end it inside the file.
    [[ -o errexit ]] && return 0
    return $__flightdeck_status
}

__flightdeck_hook() {
    precmd_functions=(__flightdeck_precmd ${precmd_functions:#__flightdeck_*} __flightdeck_prompt)
    preexec_functions=(${preexec_functions:#__flightdeck_*} __flightdeck_preexec)
    zshaddhistory_functions=(${zshaddhistory_functions:#__flightdeck_*} __flightdeck_addhistory)
}

# At the first prompt all of the user's files have been read.
__flightdeck_start() {
    emulate -L zsh
    [[ ${functions[precmd]-} == *__flightdeck_start* ]] && unfunction precmd
    builtin zmodload -F zsh/datetime p:EPOCHREALTIME 2>/dev/null
    typeset -ga precmd_functions preexec_functions zshaddhistory_functions
    # Keys that no keyboard sends: discard the line, whatever the keymap.
    zle -N __flightdeck_discard
    local keymap
    for keymap in emacs viins vicmd; do
        bindkey -M $keymap '^[[7733~' __flightdeck_discard
    done
    if [[ ${funcstack[2]-} == precmd ]]; then
        __flightdeck_hook
    else
        # The list is already being worked through, and this prompt needs its marks too.
        __flightdeck_prompt
    fi
}

__flightdeck_discard() {
    BUFFER=
    [[ $KEYMAP == vicmd ]] && zle vi-insert
}

# zsh calls `precmd` before it looks at the list, so a list that is put right there counts for the first prompt. The
# list itself is for the user who has a function `precmd`.
precmd() { __flightdeck_start }
typeset -ga precmd_functions
precmd_functions+=(__flightdeck_start)

# Marks around the prompts and commands of a fish in a Flightdeck terminal, read after the user's configuration.
# Nothing here forks or is exported. The lines above set what is particular to this terminal.

set -g __flightdeck_number 0
set -g __flightdeck_open 0
set -g __flightdeck_run
set -g __flightdeck_stages
set -g __flightdeck_told 'n=0;x=0'

function __flightdeck_preexec --on-event fish_preexec
    # The line that reads a delivered file has a substitution, which would hide the status from it.
    set -g __flightdeck_before $status
    # fish tells of a line of blanks too, which is no command.
    string match -qr '\S' -- "$argv[1]"
    or return
    set -g __flightdeck_number (math $__flightdeck_number + 1)
    set -g __flightdeck_open 1
    printf '\e]7733;%s;C;n=%s;c=%s\a' $__flightdeck_nonce $__flightdeck_number \
        (string sub -l 4096 -- "$argv[1]" | string collect | string escape --style=url) >/dev/tty
end

function __flightdeck_postexec --on-event fish_postexec
    set -l stages $status $pipestatus
    set -l exit $stages[1]
    set -e stages[1]
    test $__flightdeck_open = 1
    or return $exit
    set -g __flightdeck_open 0
    set -l run $__flightdeck_run
    # A run that got to its end has told its stages, which `.` replaces by its own status.
    if set -q run[1]; and set -q __flightdeck_stages[1]
        set exit $__flightdeck_stages[1]
        set stages $__flightdeck_stages[2..]
    end
    set -g __flightdeck_run
    set -g __flightdeck_stages
    set -g __flightdeck_told "n=$__flightdeck_number;x=$exit;p=$stages;r=$run"
    printf '\e]7733;%s;D;%s;d=%s;w=%s\a' $__flightdeck_nonce $__flightdeck_told "$CMD_DURATION" \
        (string escape --style=url -- $PWD) >/dev/tty
    return $exit
end

# `read` has the line editor of the prompt, so the terminal's settings don't tell the two apart.
function __flightdeck_question --on-event fish_read
    printf '\e]7733;%s;Q\a' $__flightdeck_nonce >/dev/tty
end

# The prompt may be defined anew at any time, so it is looked at before each one.
function __flightdeck_wrap --on-event fish_prompt
    set -l before $status
    # The fifth line is the description, which tells ours from the user's.
    set -l details (functions --details --verbose fish_prompt)
    if test "$details[5]" != 'with the marks of Flightdeck'
        functions --erase __flightdeck_user_prompt
        functions --copy fish_prompt __flightdeck_user_prompt
        __flightdeck_define_prompt
    end
    return $before
end

function __flightdeck_define_prompt
    function fish_prompt --description 'with the marks of Flightdeck'
        set -l before $status
        printf '\e]7733;%s;A\a' $__flightdeck_nonce
        __flightdeck_return $before
        __flightdeck_user_prompt
        printf '\e]7733;%s;F;%s\a\e]7733;%s;B\a' $__flightdeck_nonce $__flightdeck_told $__flightdeck_nonce
    end
end

function __flightdeck_return
    return $argv[1]
end

# First line of a delivered file. Arguments: run, what to show, line for the history.
function __flightdeck_begin
    set -g __flightdeck_run $argv[1]
    set -g __flightdeck_stages
    printf '\e[2m%s\e[22m\n\e]7733;%s;R;n=%s;r=%s\a' $argv[2] $__flightdeck_nonce $__flightdeck_number $argv[1] >/dev/tty
    return $__flightdeck_before
end

# Last line of a delivered file. Arguments: status, then the status of each stage.
function __flightdeck_end
    set -g __flightdeck_stages $argv
    return $argv[1]
end

function __flightdeck_discard
    commandline -r ''
    # Only the vi bindings have a mode of this name; without them it would have no keys at all.
    string match -q '*_vi_*' -- "$fish_key_bindings"
    and set fish_bind_mode insert
end

# Keys that no keyboard sends: discard the line, whatever the mode.
for mode in default insert visual replace_one
    bind -M $mode \e\[7733~ __flightdeck_discard
end
set -e mode

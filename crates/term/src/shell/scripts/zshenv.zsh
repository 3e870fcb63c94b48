# Start-up file of a zsh in a Flightdeck terminal. Only this file stands in for one of the user's: it gives ZDOTDIR
# back at once, so that zsh finds the user's other files by itself, and the hooks come in at the first prompt.

if (( ${+__flightdeck_zdotdir} )); then
    ZDOTDIR=$__flightdeck_zdotdir
else
    unset ZDOTDIR
fi

# Before the user's files, so that no alias of theirs gets into the functions.
[[ -o interactive ]] && builtin source "$__flightdeck_dir/zsh/hooks.zsh"

if [[ -r ${ZDOTDIR-$HOME}/.zshenv ]]; then
    builtin source "${ZDOTDIR-$HOME}/.zshenv"
fi

# Prints what bash completes: complete.sh SHARE TOOL WORD...; the last word is the one to complete.
share=$1
shift
source "$share/bash-completion/completions/$1"
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
"_${1//-/_}" 2> /dev/null # compopt works in a real completion only
[ ${#COMPREPLY[@]} -gt 0 ] && echo "${COMPREPLY[*]}"

# Read by scripts that are given paths, before they change their folder: paths are those of the folder that they are called from. Sets `words` to what they were
# given, with whole paths after the options that take one; given_path makes one of another word.
given_path() { realpath -ms -- "$1"; }
is_path=
words=()
for word in "$@"; do
  if [ -n "$is_path" ]; then word="$(given_path "$word")" is_path=
  else
    case "$word" in
      --out | --update-key | --sign | --notes | --to | --ctranslate2) is_path=1 ;;
      --out=* | --update-key=* | --sign=* | --notes=*) word="${word%%=*}=$(given_path "${word#*=}")" ;;
    esac
  fi
  words+=("$word")
done

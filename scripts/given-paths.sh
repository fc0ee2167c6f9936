# Read by scripts that build something: sets `words` to what they were given, where paths are those of the folder that they are called from.
is_path=
words=()
for word in "$@"; do
  if [ -n "$is_path" ]; then word="$(realpath -ms -- "$word")" is_path=
  else
    case "$word" in
      --out | --update-key | --sign | --notes) is_path=1 ;;
      --out=* | --update-key=* | --sign=* | --notes=*) word="${word%%=*}=$(realpath -ms -- "${word#*=}")" ;;
    esac
  fi
  words+=("$word")
done

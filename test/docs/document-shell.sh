# What the commands of a document find in their shell: the names that a reader has after an installation, bound to this build.
# Read by bash before the first block of a document. SANDBOX, MAIN, NODE, ROOT and PORT come from test/docs/run-document.ts.
#
# One server runs at a time. `npm start`, `sabre serve` and the like start it, with their flags, on PORT, wait until it is
# ready, and stop the one before: a reader would do that in another terminal.

server=

stop_server() {
  [ -z "$server" ] && return
  kill -TERM "$server" 2>/dev/null || true
  wait "$server" 2>/dev/null || true
  server=
}

start_server() {
  stop_server
  "$NODE" "$MAIN" serve --listen "127.0.0.1:$PORT" --reader-threads 1 "$@" >>"$SANDBOX/server.log" 2>&1 &
  server=$!
  for _ in $(seq 600); do
    if command curl --silent --fail --output /dev/null "http://127.0.0.1:$PORT/ready"; then return; fi
    if ! kill -0 "$server" 2>/dev/null; then break; fi
    sleep 0.1
  done
  echo 'the server did not become ready:' >&2
  cat "$SANDBOX/server.log" >&2
  return 1
}

# The command without a subcommand, or with flags first, is `serve`. Those that call the server are told its port.
sabre() {
  case "${1:-}" in
  serve) shift && start_server "$@" ;;
  '' | --*) start_server "$@" ;;
  import | export | snapshot | backup)
    case " $* " in
    *' --url '* | *' --help '* | *' --no-snapshot '*) "$NODE" "$MAIN" "$@" ;;
    *) "$NODE" "$MAIN" "$@" --url "http://127.0.0.1:$PORT" ;;
    esac
    ;;
  *) "$NODE" "$MAIN" "$@" ;;
  esac
}

npx() {
  [ "$1" = sabre ] || { echo "npx $1: not known" >&2 && return 1; }
  shift && sabre "$@"
}

npm() {
  case "$*" in
  start | 'start -- '*) shift $(($# > 1 ? 2 : 1)) && sabre "$@" ;;
  'run --silent import -- '*) shift 4 && sabre import "$@" ;;
  *) echo "npm $*: not known" >&2 && return 1 ;;
  esac
}

node() {
  if [ "$1" = sabre.mjs ]; then shift && sabre "$@"; else "$NODE" "$@"; fi
}

# As curl, but quiet, loud where no answer comes, and with a line break behind each answer.
curl() {
  local status=0
  command curl --silent --show-error --max-time 60 "$@" || status=$?
  echo
  return $status
}

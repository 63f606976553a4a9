#!/bin/sh
# Makes .venv ready: `setup.sh run` for chatting, `setup.sh develop` for the tests too. Ready already? Then it ends at once.
# Speaks on stderr only, because stdout belongs to the conversation.

cd "$(dirname "$0")/.." || exit 1

purpose=$1
venv=.venv
log=$venv/setup.log
run_locks="requirements-setup.lock requirements.lock"
develop_locks="requirements-dev.lock requirements-model.lock"

say() { echo "$*" >&2; }

give_up() {
    say "Baku cannot be set up: $*"
    exit 1
}

fingerprint() { # of all that decides what gets installed, and of the place, which installed scripts name
    case $1 in
        run) locks=$run_locks ;;
        develop) locks="$run_locks $develop_locks" ;;
    esac
    { pwd && cat $locks pyproject.toml scripts/setup.sh; } | cksum
}

is_ready() {
    [ -x $venv/bin/python ] && [ "$(cat "$venv/ready-$purpose" 2>/dev/null)" = "$(fingerprint "$purpose")" ]
}

version_of() { "$1" -c 'import sys; print("%d.%d.%d" % sys.version_info[:3])' 2>/dev/null; }

is_new_enough() {
    case $1 in
        3.[0-9].* | 3.10.*) return 1 ;;
        3.*) return 0 ;;
        *) return 1 ;;
    esac
}

find_python() { # sets `python` and `version`
    found=
    if [ "${PYTHON:-}" ]; then set -- "$PYTHON"; else set -- python3 python3.14 python3.13 python3.12 python3.11 python; fi
    for python; do
        version=$(version_of "$python")
        is_new_enough "$version" && return
        [ -n "$version" ] && found="$found, $python is $version"
    done
    give_up "it needs Python 3.11 or newer${found}. Install one from your package manager or python.org," \
        "or name yours: make chat PYTHON=/path/to/python3.11"
}

check_venv_module() {
    "$python" -c 'import ensurepip, venv' 2>/dev/null && return
    give_up "Python $version lacks its venv module. On Debian or Ubuntu: sudo apt install python${version%.*}-venv"
}

check_disk() {
    case $purpose in
        run) needed_mb=700 ;;
        develop) needed_mb=1100 ;;
    esac
    free_mb=$(df -Pk . 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
    [ "${free_mb:-$needed_mb}" -ge $needed_mb ] && return
    give_up "it needs $needed_mb MB on this disk and $free_mb MB are free. Free some space, or move this folder to a larger disk."
}

explain_and_give_up() {
    if grep -qi 'no space left' $log; then
        give_up "the disk is full. Free about 1 GB and try again."
    elif grep -qiE 'dns error|name resolution|not known|refused|unreachable|timed out|cannot connect|failed to (connect|fetch)' $log; then
        give_up "the package index cannot be reached. Check the network, or HTTPS_PROXY behind a proxy, and try again. Details: $log"
    fi
    give_up "$(grep -v '^ *$' $log | grep -iE 'error' | tail -n 1) Details: $log"
}

create_venv() {
    [ -x $venv/bin/python ] && $venv/bin/python -m pip --version >/dev/null 2>&1 && return
    find_python
    check_venv_module
    check_disk
    say "Setting Baku up, once, with Python $version. This takes one to two minutes …"
    "$python" -m venv --clear $venv >&2 || give_up "$python -m venv --clear $venv failed, see above."
}

pip() { $venv/bin/python -m pip --disable-pip-version-check install --quiet --retries 2 --require-hashes "$@" >>$log 2>&1; }

uv() { $venv/bin/python -m uv pip install --quiet --python $venv/bin/python "$@" >>$log 2>&1; }

install() { # uv is quick; pip knows every proxy and certificate set up for it
    uv --require-hashes "$@" || pip "$@"
}

install_everything() {
    pip -r requirements-setup.lock && install -r requirements.lock || return
    if [ "$purpose" = develop ]; then
        install -r requirements-dev.lock && install --no-deps -r requirements-model.lock || return
    fi
    uv --no-deps --no-build-isolation --offline --editable .
}

[ "${HOME:-}" ] && [ -w "$HOME" ] || export UV_NO_CACHE=1 PIP_NO_CACHE_DIR=1
export UV_COMPILE_BYTECODE=1

is_ready && exit
create_venv
say "Installing packages …"
: >$log
install_everything || explain_and_give_up
fingerprint run >$venv/ready-run
[ "$purpose" = run ] || fingerprint "$purpose" >"$venv/ready-$purpose"

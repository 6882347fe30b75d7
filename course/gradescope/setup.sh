#!/usr/bin/env bash
# Runs once, as root, when the image is built. Its own Python may be too old: uv brings one.
set -eu
autograder=${AUTOGRADER:-/autograder}

if ! python3 -m venv "$autograder/uv"; then  # Debian and Ubuntu ship it apart
    export DEBIAN_FRONTEND=noninteractive
    apt-get update -qq && apt-get install -yqq python3-venv
    python3 -m venv --clear "$autograder/uv"
fi
"$autograder/uv/bin/python" -m pip install --quiet --disable-pip-version-check uv

uv() { "$autograder/uv/bin/uv" --quiet "$@"; }
uv venv --clear --python '>=3.11' "$autograder/venv"
uv pip install --compile-bytecode --python "$autograder/venv" -r "$autograder/source/requirements.txt"

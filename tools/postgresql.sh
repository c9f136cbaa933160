#!/bin/sh
# Makes sure the tests find PostgreSQL's server programs; says how where it may not install them.
set -eu
found() { command -v initdb >/dev/null 2>&1 || ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1; }
found && exit 0
if command -v apt-get >/dev/null 2>&1 && [ "$(id -u)" = 0 ]; then
    echo "installing PostgreSQL for the ledger's tests" >&2
    apt-get update -qq >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -qq -y postgresql >/dev/null || true
fi
found || echo "PostgreSQL not found: its tests will be skipped. Install your system's 'postgresql' package to run them." >&2

#!/bin/sh
# A tour of a server with redis-cli: tour.sh PORT.
set -u

check() {
    expected=$1
    shift
    found=$(redis-cli -p "$port" "$@" 2>&1)
    if [ "$found" != "$expected" ]; then
        echo "$*: $found, expected $expected"
        exit 1
    fi
}

port=$1
check OK flushdb
check OK set fruit apple
check apple get fruit
check OK -3 set fruit pear ex 100
check pear -3 get fruit
check 100 ttl fruit
check 41 incrby count 41
redis-cli -p "$port" --pipe <<PIPE >/dev/null || exit 1
SET piped 1
SET piped 2
PIPE
check 2 get piped
check 'fruit' --scan --pattern 'fru*'
check 1-1 xadd stream 1-1 field value
check 1 xlen stream
check stream type stream
check "ERR unknown command 'lpush', with args beginning with: 'list' 'element' " lpush list element
echo "tour ok"

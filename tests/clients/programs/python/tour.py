"""A tour of a server with redis-py: tour.py PORT."""

import sys
import threading

import redis


def check(what, found, expected):
    if found != expected:
        sys.exit(f"{what}: {found!r}, expected {expected!r}")


def strings(client):
    check("set", client.set("py:fruit", "apple"), True)
    check("get", client.get("py:fruit"), b"apple")
    binary = bytes(range(256))
    client.set(b"py:" + binary, binary)
    check("binary", client.get(b"py:" + binary), binary)
    check("set nx", client.set("py:fruit", "pear", nx=True), None)
    check("incr", [client.incr("py:count") for _ in range(3)], [1, 2, 3])
    check("mget", client.mget("py:fruit", "py:none"), [b"apple", None])
    client.expire("py:fruit", 100)
    check("ttl", 90 < client.ttl("py:fruit") <= 100, True)


def pipeline(client):
    with client.pipeline(transaction=False) as pipe:
        for i in range(1000):
            pipe.set(f"py:many:{i}", i)
        check("pipeline", pipe.execute(), [True] * 1000)
    check("scan", len(set(client.scan_iter("py:many:*", count=100))), 1000)
    check("del", client.delete(*[f"py:many:{i}" for i in range(1000)]), 1000)


def transaction(client):
    client.set("py:watched", 1)
    with client.pipeline() as pipe:
        pipe.watch("py:watched")
        client.set("py:watched", 2)
        pipe.multi()
        pipe.set("py:watched", 3)
        try:
            pipe.execute()
            sys.exit("a transaction on a changed key was run")
        except redis.WatchError:
            pass
        pipe.incr("py:watched")
        pipe.get("py:watched")
        check("exec", pipe.execute(), [3, b"3"])


def publish(client):
    listener = client.pubsub()
    listener.subscribe("py:news")
    check("subscribe", listener.get_message(timeout=60)["type"], "subscribe")
    check("publish", client.publish("py:news", "hello"), 1)
    check("message", listener.get_message(timeout=60)["data"], b"hello")
    listener.close()


def stream(client):
    first = client.xadd("py:stream", {"field": "value"})
    client.xadd("py:stream", {"field": "other"})
    check("xlen", client.xlen("py:stream"), 2)
    client.xgroup_create("py:stream", "group", id="0")
    entries = client.xreadgroup("group", "me", {"py:stream": ">"}, count=1)
    [taken] = dict(entries)[b"py:stream"] if isinstance(entries, dict) else entries[0][1]
    taken = taken[0] if isinstance(taken, list) else taken
    check("xreadgroup", taken[0], first)
    check("xack", client.xack("py:stream", "group", first), 1)
    adder = threading.Timer(0.2, lambda: client.xadd("py:blocked", {"late": "1"}))
    adder.start()
    check("xread", bool(client.xread({"py:blocked": "$"}, block=60000)), True)


def error(client):
    try:
        client.execute_command("LPUSH", "list", "element")
        sys.exit("a command that is not offered was run")
    except redis.ResponseError as e:
        check("error", str(e).startswith("unknown command"), True)


for protocol in (2, 3):
    connection = redis.Redis(port=int(sys.argv[1]), protocol=protocol)
    connection.flushdb()
    for step in (strings, pipeline, transaction, publish, stream, error):
        step(connection)
print("tour ok")

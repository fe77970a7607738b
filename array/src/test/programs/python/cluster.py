"""Writes and reads through redis-py while a node stops and comes back: cluster.py PORT; ends at the end of its input."""

import select
import sys
import time

import redis
from redis.backoff import ExponentialBackoff
from redis.cluster import ClusterNode, RedisCluster
from redis.retry import Retry

TRIES = 600


def connect():
    return RedisCluster(
        startup_nodes=[ClusterNode("127.0.0.1", int(port)) for port in sys.argv[1].split(",")],
        socket_timeout=2,
        socket_connect_timeout=1,
        retry=Retry(ExponentialBackoff(cap=1, base=0.1), 10),
    )


def patiently(client, *command):
    for _ in range(TRIES):
        try:
            return client.execute_command(*command)
        except (redis.RedisError, OSError):
            time.sleep(0.1)
    sys.exit(f"no answer: {command}")


def is_over():
    return bool(select.select([sys.stdin], [], [], 0)[0])


client = connect()
last = 0
while not is_over():
    last += 1
    for key in range(20):
        patiently(client, "SET", f"py:{key}", last)
    for key in range(20):
        found = int(patiently(client, "GET", f"py:{key}"))
        if found != last:
            sys.exit(f"key {key}: {found}, and {last} was acknowledged")
    print(f"round {last}", flush=True)
print("ok", flush=True)

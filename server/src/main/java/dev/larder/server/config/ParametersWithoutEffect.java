package dev.larder.server.config;

import static dev.larder.server.config.ValueTypes.choice;
import static dev.larder.server.config.ValueTypes.memory;
import static dev.larder.server.config.ValueTypes.savePoints;
import static dev.larder.server.config.ValueTypes.scores;
import static dev.larder.server.config.ValueTypes.text;
import static dev.larder.server.config.ValueTypes.truth;
import static dev.larder.server.config.ValueTypes.whole;

import dev.larder.server.config.Parameter.Change;
import dev.larder.server.config.Parameter.Effect;
import java.util.List;

/**
 * Parameters that are kept and shown, and change nothing. Redis' default file and tools name them; a server that refused them
 * could not be started with that file. Each is about a mechanism that Larder does not have: snapshot files, encodings in the
 * heap, replicas, an allocator.
 */
final class ParametersWithoutEffect {

    private static final long ANY = Long.MAX_VALUE;
    private static final int INT = Integer.MAX_VALUE;

    private final List<Parameter> all;

    private ParametersWithoutEffect(List<Parameter> all) {
        this.all = all;
    }

    static void addTo(List<Parameter> all) {
        ParametersWithoutEffect parameters = new ParametersWithoutEffect(all);
        parameters.addProcess();
        parameters.addSnapshots();
        parameters.addEncodings();
        parameters.addMemory();
        parameters.addReplication();
    }

    private void add(String name, ValueType type, String standard) {
        all.add(new Parameter(name, "", type, standard, Change.ANY_TIME, Effect.NONE));
    }

    private void addAtStart(String name, ValueType type, String standard) {
        all.add(new Parameter(name, "", type, standard, Change.AT_START, Effect.NONE));
    }

    private void addProcess() {
        addAtStart("daemonize", truth(), "no");
        addAtStart("supervised", choice("no", "upstart", "systemd", "auto"), "no");
        addAtStart("pidfile", text(), "");
        addAtStart("logfile", text(), "");
        addAtStart("always-show-logo", truth(), "no");
        addAtStart("set-proc-title", truth(), "yes");
        addAtStart("disable-thp", truth(), "yes");
        addAtStart("syslog-enabled", truth(), "no");
        addAtStart("io-threads-do-reads", truth(), "no");
        addAtStart("unixsocket", text(), "");
        add("proc-title-template", text(), "{title} {listen-addr} {server-mode}");
        add("loglevel", choice("debug", "verbose", "notice", "warning"), "notice");
        add("hz", whole(1, INT), "10");
        add("dynamic-hz", truth(), "yes");
        add("crash-log-enabled", truth(), "yes");
        add("crash-memcheck-enabled", truth(), "yes");
        add("shutdown-timeout", whole(0, INT), "10");
        add("oom-score-adj", choice("no", "yes", "relative", "absolute"), "no");
        add("oom-score-adj-values", scores(), "0 200 800");
        all.add(new Parameter(
                "busy-reply-threshold", "lua-time-limit", whole(0, ANY), "5000", Change.ANY_TIME, Effect.NONE));
    }

    private void addSnapshots() {
        add("save", savePoints(), "");
        all.add(new Parameter("dbfilename", "", text(), "dump.rdb", Change.PROTECTED, Effect.NONE));
        add("rdbcompression", truth(), "yes");
        addAtStart("rdbchecksum", truth(), "yes");
        add("rdb-del-sync-files", truth(), "no");
        add("rdb-save-incremental-fsync", truth(), "yes");
        add("stop-writes-on-bgsave-error", truth(), "yes");
        add("sanitize-dump-payload", choice("no", "yes", "clients"), "no");
        addAtStart("appendfilename", text(), "appendonly.aof");
        addAtStart("appenddirname", text(), "appendonlydir");
        add("no-appendfsync-on-rewrite", truth(), "no");
        add("auto-aof-rewrite-percentage", whole(0, INT), "100");
        add("auto-aof-rewrite-min-size", memory(0, ANY), "67108864");
        add("aof-load-truncated", truth(), "yes");
        add("aof-use-rdb-preamble", truth(), "yes");
        add("aof-timestamp-enabled", truth(), "no");
        add("aof-rewrite-incremental-fsync", truth(), "yes");
    }

    private void addEncodings() {
        addRenamed("hash-max-listpack-entries", "hash-max-ziplist-entries", whole(0, ANY), "512");
        addRenamed("hash-max-listpack-value", "hash-max-ziplist-value", memory(0, ANY), "64");
        addRenamed("list-max-listpack-size", "list-max-ziplist-size", whole(-INT, INT), "-2");
        addRenamed("zset-max-listpack-entries", "zset-max-ziplist-entries", whole(0, ANY), "128");
        addRenamed("zset-max-listpack-value", "zset-max-ziplist-value", memory(0, ANY), "64");
        add("list-compress-depth", whole(0, INT), "0");
        add("set-max-intset-entries", whole(0, ANY), "512");
        add("hll-sparse-max-bytes", memory(0, ANY), "3000");
        add("stream-node-max-bytes", memory(0, ANY), "4096");
    }

    private void addRenamed(String name, String other, ValueType type, String standard) {
        all.add(new Parameter(name, other, type, standard, Change.ANY_TIME, Effect.NONE));
    }

    private void addMemory() {
        add("active-expire-effort", whole(1, 10), "1");
        add("activerehashing", truth(), "yes");
        add("activedefrag", truth(), "no");
        add("jemalloc-bg-thread", truth(), "yes");
        add("maxmemory-samples", whole(1, INT), "5");
        add("maxmemory-eviction-tenacity", whole(0, 100), "10");
        add("lfu-log-factor", whole(0, INT), "10");
        add("lfu-decay-time", whole(0, INT), "1");
        add("lazyfree-lazy-eviction", truth(), "no");
        add("lazyfree-lazy-expire", truth(), "no");
        add("lazyfree-lazy-server-del", truth(), "no");
        add("lazyfree-lazy-user-del", truth(), "no");
        add("lazyfree-lazy-user-flush", truth(), "no");
    }

    private void addReplication() {
        addRenamed("replica-serve-stale-data", "slave-serve-stale-data", truth(), "yes");
        addRenamed("replica-read-only", "slave-read-only", truth(), "yes");
        addRenamed("replica-priority", "slave-priority", whole(0, INT), "100");
        addRenamed("replica-lazy-flush", "slave-lazy-flush", truth(), "no");
        addRenamed("replica-ignore-maxmemory", "slave-ignore-maxmemory", truth(), "yes");
        add("repl-diskless-sync", truth(), "yes");
        add("repl-diskless-sync-delay", whole(0, INT), "5");
        add("repl-diskless-sync-max-replicas", whole(0, INT), "0");
        add("repl-diskless-load", choice("disabled", "on-empty-db", "swapdb"), "disabled");
        add("repl-disable-tcp-nodelay", truth(), "no");
        add("repl-timeout", whole(1, INT), "60");
        add("repl-backlog-size", memory(1, ANY), "1048576");
        add("repl-backlog-ttl", whole(0, ANY), "3600");
    }
}

package dev.larder.server.config;

import static dev.larder.server.config.ValueTypes.addresses;
import static dev.larder.server.config.ValueTypes.choice;
import static dev.larder.server.config.ValueTypes.memory;
import static dev.larder.server.config.ValueTypes.memoryOrShare;
import static dev.larder.server.config.ValueTypes.only;
import static dev.larder.server.config.ValueTypes.percentiles;
import static dev.larder.server.config.ValueTypes.text;
import static dev.larder.server.config.ValueTypes.truth;
import static dev.larder.server.config.ValueTypes.whole;

import dev.larder.server.config.Parameter.Change;
import dev.larder.server.config.Parameter.Effect;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** All parameters of a server. */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public final class Parameters {

    private static final long ANY = Long.MAX_VALUE;
    private static final int INT = Integer.MAX_VALUE;
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final String NO_REPLICATION = "a single node has no replicas";

    private static final List<Parameter> ALL = all();
    private static final Map<String, Parameter> BY_NAME = byName();

    private Parameters() {}

    /** Returns the parameters, in the order of the documentation. */
    public static List<Parameter> list() {
        return ALL;
    }

    /** Returns the parameter with a name in lower case; null if there is none. */
    public static @Nullable Parameter find(String name) {
        return BY_NAME.get(name);
    }

    private static Map<String, Parameter> byName() {
        Map<String, Parameter> names = new HashMap<>();
        for (Parameter parameter : ALL) {
            names.put(parameter.name(), parameter);
            if (!parameter.otherName().isEmpty()) {
                names.put(parameter.otherName(), parameter);
            }
        }
        return Map.copyOf(names);
    }

    private static List<Parameter> all() {
        List<Parameter> all = new ArrayList<>();
        addNetwork(all);
        addStorage(all);
        addClients(all);
        addAccess(all);
        addObservation(all);
        addOwn(all);
        ParametersWithoutEffect.addTo(all);
        return List.copyOf(all);
    }

    private static Parameter atStart(String name, ValueType type, String standard) {
        return new Parameter(name, "", type, standard, Change.AT_START, Effect.USED);
    }

    private static Parameter anyTime(String name, ValueType type, String standard) {
        return new Parameter(name, "", type, standard, Change.ANY_TIME, Effect.USED);
    }

    private static Parameter fixed(String name, String value, String reason) {
        return new Parameter(name, "", only(value, reason), value, Change.ANY_TIME, Effect.FIXED);
    }

    private static void addNetwork(List<Parameter> all) {
        all.add(atStart("bind", addresses(), "127.0.0.1"));
        all.add(atStart("port", whole(0, 65_535), "6379"));
        all.add(atStart("tcp-backlog", whole(0, INT), "511"));
        all.add(anyTime("tcp-keepalive", whole(0, INT), "300"));
        all.add(anyTime("protected-mode", truth(), "yes"));
        all.add(atStart("tls-port", whole(0, 65_535), "0"));
        all.add(atStart("tls-cert-file", text(), ""));
        all.add(atStart("tls-key-file", text(), ""));
        all.add(atStart("tls-ca-cert-file", text(), ""));
        all.add(atStart("tls-auth-clients", choice("no", "yes", "optional"), "yes"));
        all.add(atStart("io-threads", whole(1, 1024), loops()));
    }

    private static String loops() {
        return Integer.toString(Math.max(1, Runtime.getRuntime().availableProcessors() / 2));
    }

    private static void addStorage(List<Parameter> all) {
        all.add(new Parameter("dir", "", text(), ".", Change.PROTECTED, Effect.USED));
        all.add(atStart("databases", whole(1, 1024), "1"));
        all.add(anyTime("appendonly", truth(), "yes"));
        all.add(anyTime("appendfsync", choice("everysec", "always", "no"), "everysec"));
        all.add(anyTime("maxmemory", memory(0, ANY), "0"));
        all.add(anyTime(
                "maxmemory-policy",
                choice(
                        "volatile-lru",
                        "volatile-lfu",
                        "volatile-random",
                        "volatile-ttl",
                        "allkeys-lru",
                        "allkeys-lfu",
                        "allkeys-random",
                        "noeviction"),
                "noeviction"));
        all.add(anyTime("min-replicas-to-write", whole(0, INT), "0").alsoNamed("min-slaves-to-write"));
        all.add(anyTime("min-replicas-max-lag", whole(0, INT), "10").alsoNamed("min-slaves-max-lag"));
        all.add(anyTime("stream-node-max-entries", whole(0, INT), "100"));
        all.add(atStart("cluster-enabled", truth(), "no"));
        all.add(fixed("replicaof", "", NO_REPLICATION).alsoNamed("slaveof"));
        all.add(fixed("masterauth", "", NO_REPLICATION));
        all.add(fixed("masteruser", "", NO_REPLICATION));
    }

    private static void addClients(List<Parameter> all) {
        all.add(anyTime("maxclients", whole(1, 0xFFFF_FFFFL), "10000"));
        all.add(anyTime("timeout", whole(0, INT), "0"));
        all.add(anyTime(
                "client-output-buffer-limit",
                new OutputLimits(),
                "normal 0 0 0 slave 268435456 67108864 60 pubsub 33554432 8388608 60"));
        all.add(anyTime("client-query-buffer-limit", memory(MIB, ANY), Long.toString(GIB)));
        all.add(anyTime("maxmemory-clients", memoryOrShare(), "0"));
        all.add(anyTime("proto-max-bulk-len", memory(MIB, ANY), Long.toString(512 * MIB)));
        all.add(anyTime("tracking-table-max-keys", whole(0, ANY), "1000000"));
        all.add(anyTime("notify-keyspace-events", new NotificationFlags(), ""));
    }

    private static void addAccess(List<Parameter> all) {
        all.add(anyTime("requirepass", text(), ""));
        all.add(atStart("aclfile", text(), ""));
        all.add(anyTime("acllog-max-len", whole(0, INT), "128"));
        all.add(anyTime("acl-pubsub-default", choice("allchannels", "resetchannels"), "resetchannels"));
        all.add(atStart("enable-debug-command", choice("no", "yes", "local"), "no"));
        all.add(new Parameter(
                "enable-protected-configs",
                "",
                only("no", "parameters of paths are set at start"),
                "no",
                Change.AT_START,
                Effect.FIXED));
        all.add(new Parameter(
                "enable-module-command", "", only("no", "there are no modules"), "no", Change.AT_START, Effect.FIXED));
    }

    private static void addObservation(List<Parameter> all) {
        all.add(anyTime("slowlog-log-slower-than", whole(-1, ANY), "10000"));
        all.add(anyTime("slowlog-max-len", whole(0, ANY), "128"));
        all.add(anyTime("latency-monitor-threshold", whole(0, ANY), "0"));
        all.add(anyTime("latency-tracking", truth(), "yes"));
        all.add(anyTime("latency-tracking-info-percentiles", percentiles(), "50 99 99.9"));
    }

    /** Parameters that Redis does not have. */
    private static void addOwn(List<Parameter> all) {
        all.add(atStart("transport", choice("auto", "epoll", "io_uring", "nio"), "auto"));
        all.add(atStart("segment-size", memory(2 * MIB, 4 * GIB), Long.toString(256 * MIB)));
        all.add(atStart("max-file-size", memory(0, ANY), "0"));
        all.add(atStart("max-file-eviction", truth(), "no"));
        all.add(atStart("sync-interval-millis", whole(1, 3_600_000), "1000"));
        all.add(atStart("health-port", whole(0, 65_535), "0"));
    }
}

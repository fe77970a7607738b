package dev.larder.server.operate;

import dev.larder.map.MapInfo;
import dev.larder.server.config.Settings;
import dev.larder.server.operate.Figures.Count;
import dev.larder.server.operate.Figures.Seen;
import dev.larder.server.push.ChannelKind;
import dev.larder.server.session.Node;
import dev.larder.server.session.Session;
import dev.larder.server.store.Store;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The sections of {@code INFO} on the node. A field that Redis has and Larder has no figure for is left out, unless a tool
 * needs it and its true value is always the same.
 */
final class NodeSections {

    private static final int MILLIS = 1000;
    private static final double KIB = 1024;

    /** The clock of Redis counts seconds in 24 bits. */
    private static final int CLOCK_MAX = (1 << 24) - 1;

    private final Figures figures;
    private final Settings settings;
    private @Nullable List<Seen> seen;

    NodeSections(Figures figures) {
        this.figures = figures;
        this.settings = figures.settings();
    }

    /** Returns the maps as they were at the first call. */
    private List<Seen> maps() {
        List<Seen> known = seen;
        if (known == null) {
            known = figures.look();
            seen = known;
        }
        return known;
    }

    void server(Lines lines) {
        long upSeconds = (System.currentTimeMillis() - figures.node().startedMillis()) / MILLIS;
        lines.add("redis_version", Node.VERSION);
        lines.add("redis_git_sha1", "00000000");
        lines.add("redis_git_dirty", 0);
        lines.add("redis_mode", settings.truth("cluster-enabled") ? "cluster" : "standalone");
        lines.add(
                "os",
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"));
        lines.add("arch_bits", 64);
        lines.add("multiplexing_api", figures.transport());
        lines.add("java_version", Runtime.version());
        lines.add("process_id", ProcessHandle.current().pid());
        lines.add("process_supervised", "no");
        lines.add("run_id", figures.runId());
        lines.add("tcp_port", figures.port());
        lines.add("server_time_usec", System.currentTimeMillis() * MILLIS);
        lines.add("uptime_in_seconds", upSeconds);
        lines.add("uptime_in_days", TimeUnit.SECONDS.toDays(upSeconds));
        lines.add("hz", settings.text("hz"));
        lines.add("configured_hz", settings.text("hz"));
        lines.add("lru_clock", System.currentTimeMillis() / MILLIS & CLOCK_MAX);
        lines.add("executable", ProcessHandle.current().info().command().orElse(""));
        lines.add("config_file", figures.configurationFile());
        lines.add("io_threads_active", settings.whole("io-threads") > 1 ? 1 : 0);
    }

    void clients(Lines lines) {
        lines.add("connected_clients", figures.node().sessions().size());
        lines.add("cluster_connections", 0);
        lines.add("maxclients", settings.text("maxclients"));
        lines.add(
                "blocked_clients",
                figures.node().sessions().values().stream()
                        .filter(Session::isBlocked)
                        .count());
        lines.add("tracking_clients", figures.node().tracking().clients());
        lines.add("clients_in_timeout_table", 0);
    }

    void memory(Lines lines) {
        long used = figures.usedBytes(maps());
        long resident = ProcessFigures.residentBytes();
        long most = settings.whole("maxmemory");
        lines.addBytes("used_memory", used);
        lines.addBytes("used_memory_rss", resident);
        lines.addBytes("used_memory_peak", figures.peakBytes());
        lines.add("used_memory_peak_perc", share(used, figures.peakBytes()));
        lines.add("used_memory_heap", Figures.heapBytes());
        lines.add("mem_not_counted_for_evict", 0);
        long live = Figures.sum(maps(), info -> info.space().liveBytes());
        lines.add("used_memory_overhead", used - Math.min(used, live));
        lines.add("used_memory_dataset", live);
        lines.add("used_memory_dataset_perc", share(live, used));
        lines.addBytes("used_memory_lua", 0);
        lines.addBytes("used_memory_scripts", 0);
        lines.add("number_of_cached_scripts", 0);
        lines.add("number_of_functions", 0);
        lines.add("number_of_libraries", 0);
        lines.add("used_memory_files", Figures.sum(maps(), info -> info.space().fileBytes()));
        lines.add("used_memory_index", Figures.sum(maps(), MapInfo::indexBytes));
        lines.addBytes("total_system_memory", ProcessFigures.machineBytes());
        lines.addBytes("maxmemory", most);
        lines.add("maxmemory_policy", settings.text("maxmemory-policy"));
        lines.add("mem_fragmentation_ratio", resident == 0 ? 1 : resident / (double) Math.max(1, used), 2);
        lines.add("mem_fragmentation_bytes", resident == 0 ? 0 : resident - used);
        lines.add("mem_replication_backlog", 0);
        lines.add("mem_clients_slaves", 0);
        lines.add("mem_aof_buffer", 0);
        lines.add("mem_allocator", "jvm");
        lines.add("active_defrag_running", 0);
        lines.add("lazyfree_pending_objects", 0);
        lines.add("lazyfreed_objects", 0);
    }

    private static String share(long part, long whole) {
        return String.format(Locale.ROOT, "%.2f%%", whole == 0 ? 0 : 100.0 * part / whole);
    }

    void persistence(Lines lines) {
        Checkpoints checkpoints = figures.checkpoints();
        lines.add("loading", 0);
        lines.add("async_loading", 0);
        lines.add("rdb_changes_since_last_save", figures.changesSinceSave());
        lines.add("rdb_bgsave_in_progress", checkpoints.isRunning() ? 1 : 0);
        lines.add("rdb_last_save_time", checkpoints.lastSecond());
        lines.add("rdb_last_bgsave_status", checkpoints.hasFailed() ? "err" : "ok");
        lines.add("rdb_last_bgsave_time_sec", checkpoints.lastTookSeconds());
        lines.add("rdb_current_bgsave_time_sec", checkpoints.runsForSeconds());
        lines.add("rdb_saves", checkpoints.count());
        lines.add("rdb_last_cow_size", 0);
        lines.add("aof_enabled", settings.truth("appendonly") ? 1 : 0);
        lines.add("aof_rewrite_in_progress", 0);
        lines.add("aof_rewrite_scheduled", 0);
        lines.add("aof_rewrites", 0);
        lines.add("aof_last_cow_size", 0);
        lines.add("module_fork_in_progress", 0);
        lines.add("module_fork_last_cow_size", 0);
        lines.add("aof_last_rewrite_time_sec", -1);
        lines.add("aof_current_rewrite_time_sec", -1);
        lines.add("aof_last_bgrewrite_status", "ok");
        lines.add("aof_last_write_status", "ok");
        lines.add("aof_current_size", Figures.sum(maps(), info -> info.space().fileBytes()));
    }

    void stats(Lines lines) {
        lines.add("total_connections_received", figures.node().connections());
        lines.add("total_commands_processed", figures.commandsRun());
        lines.add("instantaneous_ops_per_sec", Math.round(figures.rates().commands()));
        lines.add("total_net_input_bytes", figures.inputBytes());
        lines.add("total_net_output_bytes", figures.outputBytes());
        lines.add("total_net_repl_input_bytes", 0);
        lines.add("total_net_repl_output_bytes", 0);
        lines.add("instantaneous_input_kbps", figures.rates().inputBytes() / KIB, 2);
        lines.add("instantaneous_output_kbps", figures.rates().outputBytes() / KIB, 2);
        lines.add("instantaneous_input_repl_kbps", 0, 2);
        lines.add("instantaneous_output_repl_kbps", 0, 2);
        lines.add("rejected_connections", figures.node().admission().refused());
        lines.add("sync_full", 0);
        lines.add("sync_partial_ok", 0);
        lines.add("sync_partial_err", 0);
        lines.add("expired_keys", figures.sumSinceReset(maps(), Count.EXPIRED));
        lines.add("evicted_keys", figures.sumSinceReset(maps(), Count.EVICTED));
        lines.add("keyspace_hits", figures.sumSinceReset(maps(), Count.HITS));
        lines.add("keyspace_misses", figures.sumSinceReset(maps(), Count.MISSES));
        lines.add("pubsub_channels", figures.node().channels().channels(ChannelKind.CHANNEL));
        lines.add("pubsub_patterns", figures.node().channels().patterns());
        lines.add("pubsubshard_channels", figures.node().channels().channels(ChannelKind.SHARD));
        lines.add("latest_fork_usec", 0);
        lines.add("total_forks", 0);
        lines.add("migrate_cached_sockets", 0);
        lines.add("slave_expires_tracked_keys", 0);
        lines.add("active_defrag_hits", 0);
        lines.add("active_defrag_misses", 0);
        lines.add("active_defrag_key_hits", 0);
        lines.add("active_defrag_key_misses", 0);
        lines.add("tracking_total_keys", figures.node().tracking().keys());
        lines.add("tracking_total_items", figures.node().tracking().items());
        lines.add("tracking_total_prefixes", figures.node().tracking().prefixes());
        lines.add("unexpected_error_replies", 0);
        lines.add("total_error_replies", figures.observation().allErrors());
    }

    void replication(Lines lines) {
        lines.add("role", "master");
        lines.add("connected_slaves", 0);
        lines.add("master_failover_state", "no-failover");
        lines.add("master_replid", figures.replicationId());
        lines.add("master_replid2", "0".repeat(figures.replicationId().length()));
        lines.add("master_repl_offset", 0);
        lines.add("second_repl_offset", -1);
        lines.add("repl_backlog_active", 0);
        lines.add("repl_backlog_size", settings.text("repl-backlog-size"));
        lines.add("repl_backlog_first_byte_offset", 0);
        lines.add("repl_backlog_histlen", 0);
    }

    void processor(Lines lines) {
        lines.add("used_cpu_sys", ProcessFigures.systemSeconds(), 6);
        lines.add("used_cpu_user", ProcessFigures.userSeconds(), 6);
        lines.add("used_cpu_sys_children", 0, 6);
        lines.add("used_cpu_user_children", 0, 6);
    }

    void cluster(Lines lines) {
        lines.add("cluster_enabled", settings.truth("cluster-enabled") ? 1 : 0);
    }

    /** Adds a line for each stripe that this node of an array has a member of. */
    void stripes(Lines lines) {
        figures.data()
                .parts()
                .get()
                .forEach(part -> lines.add(
                        "stripe" + part.number(),
                        part.figures().stream()
                                .map(figure -> figure.name() + "=" + figure.value())
                                .collect(Collectors.joining(","))));
    }

    /** Adds the number of keys of each database. Keys that expire are not counted: tools want the field, and it is 0. */
    void keyspace(Lines lines) {
        figures.storesByDatabase().forEach((database, stores) -> {
            long keys = stores.stream().mapToLong(Store::size).sum();
            if (keys > 0) {
                lines.add("db" + database, "keys=" + keys + ",expires=0,avg_ttl=0");
            }
        });
    }
}

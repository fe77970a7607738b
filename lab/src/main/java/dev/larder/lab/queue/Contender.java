package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.CachedPages;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.ControlGroup;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A store in its child process, under its own memory limit. */
final class Contender implements AutoCloseable {

    private final String name;
    private final ChildProcess child;
    private final Path home;
    private final QueueOptions options;
    private @Nullable Path store;
    private @Nullable CachedPages cached;
    private int stores;

    Contender(String name, ChildProcess child, Path data, QueueOptions options) {
        this.name = name;
        this.child = child;
        this.options = options;
        home = Directories.create(data.resolve(name));
    }

    String name() {
        return name;
    }

    MemoryLimit limit() {
        return child.limit();
    }

    /** Returns the facts of the child's JVM. */
    Figures jvm() {
        return child.facts();
    }

    /** Sets how stores are written from now on; after each burst the store has {@code waitMillis} to prepare space. */
    void configure(AppendMode append, String mode, long waitMillis) {
        child.ask(
                "configure",
                Settings.figures(options)
                        .put("seed", options.seed())
                        .put("append", append)
                        .put("mode", mode)
                        .put("kept_bytes", options.keptBytes())
                        .put("read_copied", options.rival() != null)
                        .put("wait_ms", waitMillis)
                        .put("prepare_ahead_bytes", waitMillis == 0 ? 0 : options.burstBytesOnDisk()));
    }

    /** Creates the next store. */
    void create() {
        store = home.resolve("store-" + stores++);
        cached = new CachedPages(store);
        child.ask("create", new Figures().put("directory", store));
    }

    /** Closes the store, and removes its files unless they are kept. */
    void closeStore() {
        child.ask("close", new Figures());
        if (!options.keep()) {
            removeStore();
        }
    }

    void removeStore() {
        if (store != null) {
            Directories.delete(store);
        }
    }

    /** Runs one burst, and adds outside figures: cached pages, and the use of the memory group. */
    Figures burst(int index, boolean prepare) {
        Figures result = child.ask(
                "burst",
                new Figures()
                        .put("index", index)
                        .put("count", options.messagesPerBurst())
                        .put("prepare", prepare));
        ControlGroup group = child.limit().group().orElse(null);
        return result.put("cached_bytes", cached == null ? null : cached.bytes())
                .put("group_bytes", group == null ? null : group.usedBytes())
                .put("group_bytes_max", group == null ? null : group.peakBytes());
    }

    @Override
    public void close() {
        child.close();
        limit().close();
    }

    @Override
    public String toString() {
        return name;
    }
}

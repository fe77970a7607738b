package dev.larder.lab.search;

import dev.larder.cli.Figures;
import dev.larder.lab.RunContext;
import dev.larder.lab.load.SkippedException;
import dev.larder.lab.machine.CachedPages;
import dev.larder.lab.machine.WarmMemory;
import dev.larder.lab.process.ChildProcess;
import dev.larder.lab.process.MemoryLimit;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import dev.larder.memory.LarderException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The conductor's side of a server: its process, the files that it serves, and an optional companion that takes its page
 * cache. All of them end with it.
 */
final class SearchServer implements AutoCloseable {

    private final String name;
    private final Path directory;
    private final MemoryLimit limit;
    private final ChildProcess process;
    private final Figures opened;
    private @Nullable Pressure pressure;

    private SearchServer(String name, Path directory, MemoryLimit limit, ChildProcess process, Figures opened) {
        this.name = name;
        this.directory = directory;
        this.limit = limit;
        this.process = process;
        this.opened = opened;
    }

    /** Starts a candidate's process, which opens the index. */
    static SearchServer start(SearchCandidate candidate, SearchConditions conditions) {
        SearchOptions options = conditions.options();
        SearchFiles files = conditions.files();
        RunContext context = conditions.context();
        WarmMemory memory = conditions.memory();
        Path directory = context.data().resolve(candidate.name());
        Directories.delete(directory); // a killed run leaves its own
        Directories.create(directory);
        MemoryLimit limit = options.beside().pressure()
                ? Pressure.group(Pressure.limitBytes(options.heapBytes(), files.bytes()))
                : MemoryLimit.none();
        if (limit.bytes() == null) {
            SequentialRead.warm(files.directory()); // the previous server may have dropped the cached pages
        }
        memory.fill(); // after the page cache, which must not give way to it
        memory.leave(candidate.heapBytes());
        ChildProcess process = context.start(candidate.name(), candidate.command(conditions.main()), limit);
        try (WarmMemory.Watch _ = memory.watch(process.pid())) {
            double cached = new CachedPages(files.directory()).bytes();
            Figures opened = process.ask("open", settings(candidate, options, files, directory))
                    .put("cached_before_bytes", cached);
            return new SearchServer(candidate.name(), directory, limit, process, opened);
        } catch (LarderException e) {
            process.close();
            limit.close();
            throw e;
        }
    }

    /** Under a limit the server copies the files itself: pages count for the group that loaded them. */
    private static Figures settings(
            SearchCandidate candidate, SearchOptions options, SearchFiles files, Path directory) {
        return files.place()
                .settings(options)
                .put("queries", files.queries().toAbsolutePath())
                .put("subject", candidate.directory())
                .put("directory", directory.resolve("index").toAbsolutePath())
                .put("copy", options.beside().pressure())
                .put(
                        "memory_bytes",
                        options.beside().pressure() ? Pressure.indexBytes(options.heapBytes(), files.bytes()) : null)
                .put("updates", options.forks() == null && options.beside().updates())
                .put("reopen_seconds", options.beside().reopenSeconds())
                .put("garbage_bytes_per_s", options.beside().garbageBytesPerSecond());
    }

    Figures opened() {
        return opened;
    }

    /**
     * Compares its answers with the other servers'.
     *
     * @throws SkippedException if it cannot serve here
     * @throws LabException if its answers are wrong
     */
    void check(Answers answers) {
        if (opened.get("skipped_reason") instanceof String reason) {
            throw new SkippedException(reason);
        }
        String wrong = answers.invalidReason(name, process.ask("answers", new Figures()));
        if (wrong != null) {
            throw new LabException(wrong);
        }
    }

    Figures ask(String command, Figures arguments) {
        return process.ask(command, arguments);
    }

    ChildProcess process() {
        return process;
    }

    void press(long bytesPerSecond, RunContext context) {
        Path logs = context.folder().directory();
        Pressure started = Pressure.start(limit, directory.resolve("pressure"), logs, bytesPerSecond);
        context.interruption().guard(started.companion());
        pressure = started;
    }

    /** Returns the companion's figures so far; nothing without one. */
    Figures moved() {
        Pressure running = pressure;
        return running == null ? new Figures() : running.moved();
    }

    /** Returns the bytes of its files in the page cache. */
    long cachedBytes() {
        return new CachedPages(directory.resolve("index")).bytes();
    }

    @Override
    public void close() {
        if (pressure != null) {
            pressure.close();
        }
        process.close();
        limit.close();
        Directories.delete(directory);
    }
}

package dev.larder.tests.scale;

import dev.larder.log.LogOptions;
import dev.larder.log.Position;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.Storage;
import dev.larder.memory.SystemLimitException;
import dev.larder.memory.SystemStorage;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * A process that takes every descriptor that it can get, {@code <storage> <directory>}, and then uses its queue: appends,
 * reads, syncs, opens another one. Calls that lack descriptors fail. After the process has released them, all calls work.
 *
 * <p>It prints the text and the kind of each call's error, and the files that it has open in the directory before and after.
 */
public final class AtTheLimit {

    private static final long SEGMENT_BYTES = 2L << 20;
    private static final int MESSAGE_BYTES = 100_000;
    private static final int ATTEMPTS = 200;

    private final Path directory;
    private final LogOptions options;
    private final List<FileInputStream> taken = new ArrayList<>();
    private long appended;

    private AtTheLimit(Storage files, Path directory) {
        this.directory = directory;
        this.options = HookedOptions.withStorage(LogOptions.defaults(), files)
                .withLargestSegmentBytes(SEGMENT_BYTES)
                .withPrepareBytes(0)
                .withLayout(layout -> layout.withMappedSegments(2)) // the others are opened again to be read
                .withSync(SyncPolicy.none());
    }

    /** Runs into the limit, and out of it again. */
    public static void main(String[] args) throws IOException {
        Storage files = args[0].equals("portable") ? SystemStorage.portable() : SystemStorage.system();
        Stream.of(LarderException.class, LarderQueue.class, LogOptions.class).forEach(AtTheLimit::loadModule);
        new AtTheLimit(files, Path.of(args[1])).run();
    }

    private void run() throws IOException {
        try (LarderQueue queue = LarderQueue.open(directory.resolve("queue"), options);
                Appender appender = queue.appender();
                Tailer tailer = queue.tailer()) {
            fill(appender, 4);
            queue.sync();
            fill(appender, 2); // if the background stood in one of the first, that one is unmapped now
            queue.sync();
            Taken before = Taken.now(directory);
            System.out.println("BEFORE " + before.words());
            takeAll();
            String limited = "append=" + refused(() -> fill(appender, 3)) + " read=" + refused(() -> readOn(tailer))
                    + " sync=" + refused(queue::sync)
                    + " open=" + refused(() -> LarderQueue.open(directory.resolve("other"), options));
            giveBack();
            System.out.println("LIMITED " + limited + " " + settled(before).words());
            fill(appender, 3);
            long durable = queue.sync();
            tailer.toStart();
            System.out.println("AFTER appended=" + appended + " read=" + readOn(tailer) + " segments="
                    + Position.segment(durable) + " problems="
                    + queue.verify().problems().size());
            LarderQueue.open(directory.resolve("other"), options).close();
        }
        System.out.println("CLOSED " + Taken.now(directory).words());
    }

    /** Waits until files that are open for a moment are closed: a background task that failed may try again, and opens a file. */
    private Taken settled(Taken before) {
        Taken now = Taken.now(directory);
        for (int i = 0; i < ATTEMPTS && now.ownDescriptors() > before.ownDescriptors(); i++) {
            LockSupport.parkNanos(10_000_000);
            now = Taken.now(directory);
        }
        return now;
    }

    /** Appends until the queue has gone so many segments further. */
    private void fill(Appender appender, int segments) {
        int end = -1;
        int in = -2;
        while (in < end || end < 0) {
            in = Position.segment(appender.append(new byte[MESSAGE_BYTES]));
            end = end < 0 ? in + segments : end;
            appended++;
        }
    }

    private static long readOn(Tailer tailer) {
        long read = 0;
        while (tailer.poll((segment, offset, length) -> {})) {
            read++;
        }
        return read;
    }

    /** Prints the text of the error that a call fails with, though it retries; returns its kind, or {@code none}. */
    private static String refused(Runnable call) {
        Optional<SystemLimitException> error = Optional.empty();
        boolean succeeded = false;
        for (int i = 0; i < ATTEMPTS && !succeeded; i++) {
            try {
                call.run();
                succeeded = true;
            } catch (SystemLimitException e) {
                error = Optional.of(e);
            }
        }
        error.ifPresent(e -> System.out.println("TEXT " + e.getMessage()));
        return error.map(e -> e.getClass().getSimpleName()).orElse("none");
    }

    private void takeAll() {
        try {
            while (true) {
                taken.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            assert !taken.isEmpty();
        }
    }

    private void giveBack() throws IOException {
        for (FileInputStream file : taken) {
            file.close();
        }
        taken.clear();
    }

    /** Loads all classes of a module. At the limit no class file in a folder can be opened, unlike one in an archive. */
    private static void loadModule(Class<?> one) {
        try {
            URI place = one.getProtectionDomain().getCodeSource().getLocation().toURI();
            if (Files.isDirectory(Path.of(place))) {
                loadAll(Path.of(place), Path.of(place));
            } else {
                try (FileSystem archive = FileSystems.newFileSystem(URI.create("jar:" + place), Map.of())) {
                    loadAll(archive.getPath("/"), archive.getPath("/"));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void loadAll(Path root, Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            files.map(file -> root.relativize(file).toString())
                    .filter(name -> name.endsWith(".class") && name.startsWith("dev/"))
                    .map(name ->
                            name.substring(0, name.length() - ".class".length()).replace('/', '.'))
                    .forEach(AtTheLimit::load);
        }
    }

    private static void load(String name) {
        try {
            Class.forName(name);
        } catch (ClassNotFoundException | LinkageError e) {
            // for a kind of memory that this machine lacks
        }
    }
}

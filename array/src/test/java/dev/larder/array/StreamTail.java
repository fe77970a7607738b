package dev.larder.array;

import dev.larder.log.LogOptions;
import dev.larder.log.ReadOnlyException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import dev.larder.tests.support.ChildProgram;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.foreign.ValueLayout.OfInt;
import java.lang.foreign.ValueLayout.OfLong;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A process that reads the first two entries of a stream from a node's files, in place, and then tries to append. */
public final class StreamTail {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    private StreamTail() {}

    /** Starts the process on the store of a stripe that has one stream. */
    static Process start(Path store, Path errors) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChildProgram.class.getName(),
                        StreamTail.class.getName(),
                        store.toString())
                .redirectError(errors.toFile())
                .start();
    }

    /** Prints a line for each entry, and for the refusal. */
    public static void main(String[] arguments) throws InterruptedException, IOException {
        try (LarderQueue queue = onlyStream(Path.of(arguments[0]));
                Tailer tailer = queue.tailer()) {
            for (int entry = 0; entry < 2; entry++) {
                tailer.poll(StreamTail::print, PATIENCE);
            }
            queue.append("no entry");
        } catch (ReadOnlyException e) {
            say(e.getClass().getSimpleName());
        }
    }

    /** Waits for a stream with entries. Streams without entries are made before they are needed. */
    private static LarderQueue onlyStream(Path store) throws InterruptedException, IOException {
        while (true) {
            for (Path folder : streams(store)) {
                LarderQueue queue =
                        LarderQueue.open(folder, LogOptions.defaults().withReadOnly(true));
                if (queue.info().messages().orElse(0) > 0) {
                    return queue;
                }
                queue.close();
            }
            Thread.sleep(100);
        }
    }

    private static List<Path> streams(Path store) throws IOException {
        try (Stream<Path> files = Files.walk(store)) {
            return files.filter(path -> path.toString().matches(".*/streams/\\d+"))
                    .filter(path -> Files.exists(path.resolve("log.ctl")))
                    .toList();
        } catch (UncheckedIOException e) {
            return List.of(); // a folder got its final name meanwhile
        }
    }

    /** The layout is in {@code docs/formats/stream.md}. */
    private static void print(MemorySegment segment, long offset, int length) {
        StringBuilder line = new StringBuilder();
        line.append(segment.get(LONG, offset + 8)).append('-').append(segment.get(LONG, offset + 16));
        long at = offset + 24;
        while (at < offset + length) {
            int bytes = segment.get(INT, at);
            line.append(' ')
                    .append(new String(
                            segment.asSlice(at + 4, bytes).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8));
            at += 4 + bytes;
        }
        say(line.toString());
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush();
    }
}

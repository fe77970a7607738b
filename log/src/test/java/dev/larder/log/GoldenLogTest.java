package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.RecordWord;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.memory.Crc32c;
import dev.larder.memory.LarderException;
import dev.larder.memory.Words;
import dev.larder.tests.support.GoldenFile;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The files in {@code formats/log}: every later release reads them as they state, and writes them as they are. */
@Timeout(300)
final class GoldenLogTest {

    private static final List<String> FILES =
            List.of("log.ctl", "log.cnt", "log.bmk", "0000000000.seg", "0000000001.seg");

    @TempDir
    Path directory;

    static Stream<Path> logs() throws IOException {
        try (Stream<Path> found = Files.walk(Repository.root().resolve("formats/log"))) {
            return found.filter(path -> path.endsWith("expected")).map(Path::getParent).sorted().toList().stream();
        }
    }

    @ParameterizedTest
    @MethodSource("logs")
    void readsWhatIsExpected(Path golden) throws IOException {
        Path log = directory.resolve("log");
        GoldenFile.restore(golden, log);
        String expected = Files.readString(golden.resolve("expected"));
        String found = found(log, expected);
        Path kept = Path.of("target/formats/log/v1", String.valueOf(golden.getFileName()))
                .toAbsolutePath();
        Files.createDirectories(kept);
        Files.writeString(kept.resolve("found"), found);
        assertThat(found).as("%s, as this release reads it", golden).isEqualTo(withoutComments(expected));
    }

    /** A segment of less than a block has one row, and a block that is never whole. */
    @ParameterizedTest
    @CsvSource({
        "NONE, good-indexed-none, 2097152",
        "RECORD, good-indexed-record, 2097152",
        "SEAL, good-indexed-seal, 2097152",
        "NONE, good-small-none, 65536",
        "RECORD, good-small-record, 65536",
        "SEAL, good-small-seal, 65536"
    })
    void writesTheSameBytes(IntegrityMode integrity, String folder, long segmentBytes) throws IOException {
        Path log = directory.resolve("log");
        GoldenLog.write(log, integrity, segmentBytes);
        Path golden = golden(folder);
        List<String> changed = new ArrayList<>();
        for (String name : FILES) {
            Map<Long, String> comments = comments(log.resolve(name), name);
            String written = GoldenFile.text(Files.readAllBytes(log.resolve(name)), comments);
            if (!Files.exists(golden.resolve(name + ".hex"))
                    || !Files.readString(golden.resolve(name + ".hex")).equals(written)) {
                changed.add(name);
            }
            keep(folder, name + ".hex", written);
        }
        keep(folder, "expected", "read-only: opens\n" + records(log) + "writing: opens\n");
        assertThat(changed)
                .as(
                        "Files of %s that this release writes otherwise. A change of the format that is not meant is a"
                            + " bug. One that is meant raises the version, keeps this folder, and adds a new one: what"
                            + " was written just now lies in %s",
                        golden, kept(folder))
                .isEmpty();
    }

    private static Path golden(String folder) {
        return Repository.root().resolve("formats/log/v" + SegmentLayout.VERSION + "/" + folder);
    }

    private static Path kept(String folder) {
        return Path.of("target/formats/log/v" + SegmentLayout.VERSION, folder).toAbsolutePath();
    }

    private static String name(IntegrityMode integrity) {
        return "good-indexed-" + integrity.name().toLowerCase(Locale.ROOT);
    }

    private static void keep(String folder, String name, String text) throws IOException {
        Files.createDirectories(kept(folder));
        Files.writeString(kept(folder).resolve(name), text);
    }

    private static String withoutComments(String text) {
        return text.lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line + "\n")
                .reduce("", String::concat);
    }

    /** Returns the findings in the words of the expectation; they cover writing only where the expectation does. */
    private static String found(Path log, String expected) {
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), GoldenLog.storage())
                .withLargestSegmentBytes(0);
        StringBuilder found = new StringBuilder();
        try (Log opened = Log.open(log, options.withReadOnly(true).withVerifyReads(true))) {
            String records = records(opened);
            found.append("read-only: opens\n").append(records);
        } catch (LarderException e) {
            found.append("read-only: ").append(e.getClass().getSimpleName()).append('\n');
            assertThat(e).hasMessageContaining(log.toString());
        }
        if (expected.contains("writing: ")) {
            try (Log opened = Log.open(log, options);
                    LogAppender appender = opened.appender()) {
                appender.append(new byte[1]);
                found.append("writing: opens\n");
            } catch (LarderException e) {
                found.append("writing: ").append(e.getClass().getSimpleName()).append('\n');
            }
        }
        return found.toString();
    }

    private static String records(Path log) {
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), GoldenLog.storage())
                .withLargestSegmentBytes(0)
                .withReadOnly(true);
        try (Log opened = Log.open(log, options.withVerifyReads(true))) {
            return records(opened);
        }
    }

    /** Returns one line for each record: position, length, CRC-32C of the payload. */
    private static String records(Log log) {
        StringBuilder lines = new StringBuilder();
        try (LogReader reader = log.reader()) {
            int delivered = 1;
            while (delivered == 1) {
                delivered = reader.drain(
                        (segment, offset, length) -> lines.append(line(reader, segment, offset, length)), 1);
            }
            lines.append("end ").append(Position.toString(reader.position())).append('\n');
        } catch (LarderException e) {
            lines.append("fails: ").append(e.getClass().getSimpleName()).append('\n');
        }
        lines.append(bookmarks(log));
        String verdict = log.verify().isSound() ? "sound" : "damaged";
        return lines.append("verify: ").append(verdict).append('\n').toString();
    }

    private static String bookmarks(Log log) {
        StringBuilder lines = new StringBuilder();
        try {
            log.bookmarks()
                    .forEach(bookmark -> lines.append(
                            "bookmark " + Position.toString(bookmark.position()) + " " + bookmark.name() + "\n"));
        } catch (LarderException e) {
            lines.append("bookmarks: ").append(e.getClass().getSimpleName()).append('\n');
        }
        return lines.toString();
    }

    private static String line(LogReader reader, MemorySegment segment, long offset, int length) {
        return String.format(
                Locale.ROOT,
                "record %s %d %08x\n",
                Position.toString(reader.position()),
                length,
                Crc32c.of(segment, offset, length));
    }

    private static Map<Long, String> comments(Path file, String name) throws IOException {
        Map<Long, String> comments = new TreeMap<>();
        switch (name) {
            case "log.ctl" -> commentControl(comments);
            case "log.cnt" -> comments.put(64L, "counters, 8 bytes each");
            case "log.bmk" -> commentBookmarks(comments);
            default -> commentSegment(comments, MemorySegment.ofArray(Files.readAllBytes(file)));
        }
        comments.put(0L, "common header");
        return comments;
    }

    private static void commentControl(Map<Long, String> comments) {
        comments.put(64L, "the log's own header: identity, time of creation, largest segment, integrity, slots");
        comments.put(ControlLayout.FIRST, "first");
        comments.put(ControlLayout.TAIL, "tail");
        comments.put(ControlLayout.DURABLE, "durable");
        comments.put(ControlLayout.FAILED, "failed");
        comments.put(ControlLayout.WAKE_SEQUENCE, "wake sequence, wake needed");
        comments.put(ControlLayout.TIME, "time");
        comments.put(ControlLayout.STATE, "state: CLEAN, tail, durable, boot, mount, check");
        comments.put(ControlLayout.PLACE_A, "place A: counter, position, salt, check");
        comments.put(ControlLayout.PLACE_B, "place B");
        comments.put(ControlLayout.SLOT_TABLE, "slot 0: generation");
    }

    private static void commentBookmarks(Map<Long, String> comments) {
        comments.put(64L, "identity of the log");
        comments.put(BookmarkLayout.name(0), "name of entry 0: check, salt, length, bytes");
        comments.put(BookmarkLayout.name(1), "name of entry 1, which was dropped");
        comments.put(BookmarkLayout.owner(0), "owner of entry 0: owner, process, since, absent");
        comments.put(BookmarkLayout.live(0, 0), "live marks of entry 0: counter, position, check");
        comments.put(BookmarkLayout.copyA(0), "copy A of entry 0");
        comments.put(BookmarkLayout.copyB(0), "copy B of entry 0");
    }

    private static void commentSegment(Map<Long, String> comments, MemorySegment bytes) {
        MemorySegment segment = bytes.asSlice(0);
        comments.put(
                64L, "the segment's own header: number, salt, limit, head, integrity, stream, created, life, identity");
        comments.put(SegmentLayout.HINT, "hint");
        comments.put(SegmentLayout.BASE_SEQUENCE, "baseSequence and its check");
        comments.put(SegmentLayout.BEGAN, "began");
        comments.put(SegmentLayout.ROWS, "row of block 0: seal A, seal B, index, time");
        if (segment.byteSize() > SegmentLayout.BLOCK_BYTES) {
            comments.put(SegmentLayout.ROWS + SegmentLayout.ROW_BYTES, "row of block 1");
        }
        long at = SegmentLayout.head(segment.byteSize());
        long word = word(segment, at);
        while (word != RecordWord.FREE) {
            comments.put(at, comment(at, word));
            if (RecordWord.isEnd(word)) {
                return;
            }
            at += RecordWord.sizeBytes(RecordWord.length(word));
            word = word(segment, at);
        }
    }

    private static long word(MemorySegment segment, long at) {
        return segment.get(Words.LONG.withByteAlignment(1), at);
    }

    private static String comment(long at, long word) {
        if (RecordWord.isEnd(word)) {
            return at + ": END";
        }
        String state = RecordWord.state(word) == RecordWord.COMMITTED ? "COMMITTED" : "PADDING";
        return at + ": " + state + ", payload of " + RecordWord.length(word) + " bytes";
    }

    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void hasAFolderForTheVersionThatItWrites(IntegrityMode integrity) {
        assertThat(golden(name(integrity)).resolve("expected")).exists();
    }
}

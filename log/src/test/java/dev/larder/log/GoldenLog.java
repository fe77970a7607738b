package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.ControlLayout;
import dev.larder.log.format.SegmentLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.retain.BookmarkFile;
import dev.larder.log.segment.Segment;
import dev.larder.log.shared.ControlFile;
import dev.larder.log.shared.ControlFile.Ending;
import dev.larder.log.shared.ControlFile.Place;
import dev.larder.log.shared.ControlFile.State;
import dev.larder.log.shared.MemoryIdentity;
import dev.larder.memory.Access;
import dev.larder.memory.Allocation;
import dev.larder.memory.Storage;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import java.lang.foreign.Arena;
import java.nio.file.Path;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * The log of {@code formats/log}, written again: the same records by the same calls, with nothing left to chance.
 *
 * <p>The random parts of a log (identity and salts) are fixed beforehand, by an empty log that was closed and whose
 * second segment is linked already. Clock, boot and mount come from a storage double.
 */
final class GoldenLog {

    private static final long CREATED = 1_767_225_600_000L; // 2026-01-01T00:00Z
    private static final UUID IDENTITY = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");
    private static final long[] SALTS = {0x0123_4567_89AB_CDEFL, 0xFEDC_BA98_7654_3210L};

    private static final class Still extends DelegatingStorage {
        Still(Storage storage) {
            super(storage);
        }

        @Override
        public String bootIdentity() {
            return "boot";
        }

        @Override
        public String mountIdentity(Path directory) {
            return "mount";
        }

        @Override
        public long currentTimeMillis() {
            return CREATED;
        }

        @Override
        public long nanoTime() {
            return 1_000_000_000;
        }
    }

    private GoldenLog() {}

    static Storage storage() {
        return new Still(TestLogs.storage());
    }

    /** Writes the log of a mode into a directory, with segments of a given size. */
    static void write(Path directory, IntegrityMode integrity, long segmentBytes) {
        Storage storage = storage();
        storage.createDirectories(directory, Access.OWNER);
        prepare(directory, integrity, segmentBytes, storage);
        LogOptions options = HookedOptions.withStorage(TestLogs.options(), storage)
                .withLargestSegmentBytes(segmentBytes)
                .withDurability(durability -> durability.withEarlyWriteback(false));
        try (Log log = Log.open(directory, options);
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("reader \u00e4")) {
            append(log, appender, segmentBytes == TestLogs.MIB_2 ? 500_000 : (int) segmentBytes / 5);
            bookmark.move(Position.of(0, 9320));
            log.sync();
            bookmark.move(Position.of(1, 8192));
        }
    }

    private static void append(Log log, LogAppender appender, int large) {
        appender.append(new byte[0]);
        appender.append(new byte[] {'x'});
        appender.append(TestLogs.bytes("8 bytes."));
        log.sync();
        appender.append(pattern(1024));
        assertThatThrownBy(() -> appender.append(21, (segment, offset, length) -> {
                    segment.asSlice(offset, length).fill((byte) 0xEE);
                    throw new IllegalStateException("abandoned");
                }))
                .isInstanceOf(IllegalStateException.class);
        try (RecordBatch batch = appender.batch()) {
            batch.add(TestLogs.bytes("first of a batch"));
            batch.add(new byte[0]);
            batch.add(TestLogs.bytes("third of a batch"));
        }
        log.sync();
        for (int i = 0; i < 3; i++) {
            appender.append(new byte[large]);
        }
        appender.append(new byte[large + 1]); // the fifth record no longer fits: END, and on to segment 1
        appender.append(new byte[large + 2]);
        appender.append(TestLogs.bytes("in the second segment: \u00e4\u20ac\ud83d\ude00"));
        log.sync();
    }

    private static byte[] pattern(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (i * 7 + (i >>> 8));
        }
        return bytes;
    }

    private static void prepare(Path directory, IntegrityMode integrity, long segmentBytes, Storage storage) {
        for (int number = 0; number < SALTS.length; number++) {
            int segment = number;
            make(
                    storage,
                    directory.resolve(SegmentLayout.fileName(number)),
                    segmentBytes,
                    mapped -> Segment.format(mapped, segment, SALTS[segment], IDENTITY, integrity, CREATED, 0));
        }
        Path path = directory.resolve(ControlLayout.FILE_NAME);
        make(
                storage,
                path,
                ControlLayout.SIZE_BYTES,
                mapped -> ControlFile.format(
                        mapped, IDENTITY, integrity, segmentBytes, LogRetention.none(), false, CREATED));
        try (ControlFile control = new ControlFile(storage.open(path, true).orElseThrow(), true)) {
            long start = SegmentLayout.head(segmentBytes);
            control.place(new Place(1, start, SALTS[0]));
            control.place(new Place(2, start, SALTS[0]));
            control.ending(new Ending(State.CLEAN, start, start, MemoryIdentity.of(storage, directory)));
        }
        prepareBookmarks(directory, storage);
    }

    /** Prepares one bookmark, and one that was dropped. */
    private static void prepareBookmarks(Path directory, Storage storage) {
        BookmarkFile.create(directory, storage, Access.OWNER, IDENTITY);
        try (BookmarkFile file =
                BookmarkFile.open(directory, storage, true, IDENTITY).orElseThrow()) {
            file.rename(0, "reader \u00e4", SALTS[0] ^ 1);
            file.move(0, 1, BookmarkFile.START);
            file.copy(0);
            file.rename(1, "", SALTS[1] ^ 1);
        }
    }

    private static void make(Storage storage, Path path, long bytes, Consumer<java.lang.foreign.MemorySegment> format) {
        try (StorageFile file = storage.create(path, Access.OWNER).orElseThrow();
                Arena arena = Arena.ofShared()) {
            file.allocate(bytes, Allocation.GROW);
            format.accept(file.map(0, bytes, true, arena));
        }
    }
}

package dev.larder.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.log.format.BookmarkLayout;
import dev.larder.log.format.ControlLayout;
import dev.larder.log.layer.HookedOptions;
import dev.larder.log.random.OpenSession;
import dev.larder.log.retain.BookmarkFile;
import dev.larder.log.retain.Holds;
import dev.larder.log.shared.ControlFile;
import dev.larder.memory.ClosedException;
import dev.larder.memory.CorruptException;
import dev.larder.memory.StorageException;
import dev.larder.memory.StorageFile;
import dev.larder.memory.doubles.DelegatingStorage;
import dev.larder.memory.doubles.FaultyStorage;
import dev.larder.memory.doubles.PowerLossStorage;
import dev.larder.memory.doubles.StorageCall;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(300)
final class BookmarkTest {

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve(BookmarkLayout.FILE_NAME);
    }

    @Test
    void keepsItsPlaceOverAClose() {
        long position;
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("reader \u00e4")) {
            assertThat(bookmark.position()).isZero();
            assertThat(log.bookmarks().getFirst().position()).isEqualTo(log.firstPosition());
            position = appender.append(TestLogs.bytes("one"));
            bookmark.move(position);
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThat(log.bookmarks()).hasSize(1);
            BookmarkInfo info = log.bookmarks().getFirst();
            assertThat(info.name()).isEqualTo("reader \u00e4");
            assertThat(info.position()).isEqualTo(position);
            assertThat(info.owner()).isEmpty();
            assertThat(info.absentSince()).isPresent();
        }
        try (Log log = TestLogs.open(directory);
                Bookmark bookmark = log.bookmark("reader \u00e4")) {
            assertThat(bookmark.position()).isEqualTo(position);
        }
    }

    @Test
    void makesNoFileUntilThereIsOne() {
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.bookmarks()).isEmpty();
            assertThat(log.dropBookmark("none")).isFalse();
            assertThat(file()).doesNotExist();
            log.sync();
        }
    }

    /** The background syncs once a second. It does not look each time for a file that no process has made. */
    @Test
    void isNotLookedForByASyncUntilALogHasOne() {
        AtomicInteger looks = new AtomicInteger();
        DelegatingStorage counting = new DelegatingStorage(TestLogs.storage()) {
            @Override
            public Optional<StorageFile> open(Path file, boolean writable) {
                looks.addAndGet(file.equals(BookmarkTest.this.file()) ? 1 : 0);
                return super.open(file, writable);
            }
        };
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), counting));
                LogAppender appender = log.appender()) {
            OpenSession.of(log).maintenance().stop();
            looks.set(0);
            for (int i = 0; i < 3; i++) {
                appender.append(TestLogs.bytes("one"));
                assertThat(OpenSession.of(log).writing().syncer().syncSettled()).isTrue();
            }
            assertThat(log.durablePosition()).isEqualTo(log.endPosition());
            assertThat(looks).hasValue(0);
        }
    }

    @Test
    void isMovedByOneAlone() {
        try (Log log = TestLogs.open(directory)) {
            Bookmark bookmark = log.bookmark("one");
            assertThatThrownBy(() -> log.bookmark("one"))
                    .isInstanceOf(BookmarkHeldException.class)
                    .hasMessageContainingAll(
                            file().toString(),
                            "\"one\"",
                            "this process, " + ProcessHandle.current().pid(),
                            "since 20");
            assertThatThrownBy(() -> log.dropBookmark("one")).isInstanceOf(BookmarkHeldException.class);
            bookmark.close();
            bookmark.close();
            try (Bookmark again = log.bookmark("one")) {
                assertThatThrownBy(() -> bookmark.move(8192)).isInstanceOf(ClosedException.class);
                again.move(8192);
                assertThat(again.position()).isEqualTo(8192);
            }
        }
    }

    @Test
    void forgetsWhatWasDropped() {
        try (Log log = TestLogs.open(directory)) {
            log.bookmark("other").close();
            try (Bookmark bookmark = log.bookmark("one")) {
                bookmark.move(9000);
            }
            assertThat(log.dropBookmark("one")).isTrue();
            assertThat(log.bookmarks()).extracting(BookmarkInfo::name).containsExactly("other");
            try (Bookmark again = log.bookmark("one")) {
                assertThat(again.position()).isZero();
            }
            assertThat(log.verify().problems()).isEmpty();
        }
    }

    @Test
    void refusesNamesThatAreNone() {
        try (Log log = TestLogs.open(directory)) {
            for (String name : new String[] {"", "x".repeat(129), "\u20ac".repeat(43), "half \ud83d"}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> log.bookmark(name))
                        .withMessageContaining(directory.toString());
            }
            log.bookmark("x".repeat(128)).close();
            assertThat(log.bookmarks().getFirst().name()).hasSize(128);
        }
    }

    @Test
    void hasRoomForSoManyNames() {
        try (Log log = TestLogs.open(directory)) {
            for (int i = 0; i < 1024; i++) {
                log.bookmark("name " + i).close();
            }
            assertThatThrownBy(() -> log.bookmark("one more"))
                    .isInstanceOf(LogBusyException.class)
                    .hasMessageContainingAll("1024", "one more");
            log.dropBookmark("name 77");
            log.bookmark("one more").close();
            assertThat(log.bookmarks()).hasSize(1024);
        }
    }

    @Test
    void holdsTheLowestPositionOfThoseThatAreNotAbsentTooLong() {
        RandomLog.Clock clock = new RandomLog.Clock(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), clock))) {
            Holds holds = log.holds(1_000_000);
            assertThat(holds.lowestHeld()).isEqualTo(Long.MAX_VALUE);
            Bookmark low = log.bookmark("low");
            assertThat(holds.lowestHeld()).isEqualTo(log.firstPosition());
            Bookmark high = log.bookmark("high");
            low.move(9000);
            high.move(10_000);
            assertThat(holds.lowestHeld()).isEqualTo(9000);
            clock.jump(2_000_000);
            assertThat(holds.lowestHeld()).as("a live owner is never absent").isEqualTo(9000);
            low.close();
            assertThat(holds.lowestHeld()).isEqualTo(9000);
            clock.jump(2_000_000);
            assertThat(holds.lowestHeld()).isEqualTo(10_000);
            high.close();
        }
    }

    /** One of the two marks may be torn, with half of an older one: a reader takes the other mark. */
    @ParameterizedTest
    @ValueSource(ints = {0, 8, 16})
    void aTornMarkLosesNothingButItself(int word) throws IOException {
        try (Log log = TestLogs.open(directory);
                Bookmark bookmark = log.bookmark("one")) {
            bookmark.move(9000);
            bookmark.move(9008); // counter 3, in the second mark
        }
        change(BookmarkLayout.live(0, 1) + word);
        change(BookmarkLayout.copyA(0));
        change(BookmarkLayout.copyB(0));
        try (Log log = TestLogs.open(directory);
                Bookmark bookmark = log.bookmark("one")) {
            assertThat(bookmark.position()).isEqualTo(9000);
            bookmark.move(9016);
            assertThat(bookmark.position()).isEqualTo(9016);
        }
    }

    @Test
    void aCopyStandsInForTornMarks() throws IOException {
        try (Log log = TestLogs.open(directory);
                Bookmark bookmark = log.bookmark("one")) {
            bookmark.move(9000);
            log.sync();
            bookmark.move(9008);
            bookmark.move(9016);
            log.sync();
        }
        change(BookmarkLayout.live(0, 0));
        change(BookmarkLayout.live(0, 1));
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.bookmarks().getFirst().position()).isEqualTo(9016);
        }
        change(BookmarkLayout.copyA(0));
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.bookmarks().getFirst().position()).isIn(9000L, 9016L);
        }
    }

    @Test
    void saysWhatIsDamaged() throws IOException {
        try (Log log = TestLogs.open(directory)) {
            log.bookmark("one").close();
            log.bookmark("two").close();
        }
        change(BookmarkLayout.name(0) + BookmarkLayout.NAME_BYTES);
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.verify().problems())
                    .singleElement()
                    .asString()
                    .contains(BookmarkLayout.FILE_NAME, "entry 0", "fails its check");
            assertThat(log.bookmarks()).extracting(BookmarkInfo::name).containsExactly("two");
        }
        change(70);
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender()) {
            appender.append(new byte[1]);
            log.sync();
            assertThatThrownBy(() -> log.bookmark("two"))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining(BookmarkLayout.FILE_NAME);
            assertThat(log.verify().problems()).singleElement().asString().contains(BookmarkLayout.FILE_NAME);
        }
    }

    private void change(long offset) throws IOException {
        try (RandomAccessFile bytes = new RandomAccessFile(file().toFile(), "rw")) {
            bytes.seek(offset);
            int found = bytes.read();
            bytes.seek(offset);
            bytes.write(found ^ 0x40);
        }
    }

    @Test
    void refusesThoseOfAnotherLog() throws IOException {
        Path other = directory.resolve("other");
        try (Log log = TestLogs.open(directory.resolve("one"))) {
            log.bookmark("one").close();
        }
        TestLogs.open(other).close();
        Files.copy(directory.resolve("one").resolve(BookmarkLayout.FILE_NAME), other.resolve(BookmarkLayout.FILE_NAME));
        try (Log log = TestLogs.open(other)) {
            assertThatThrownBy(() -> log.bookmark("one"))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageContaining("bookmarks of log");
        }
    }

    /**
     * A synced bookmark survives; its place is never behind the end of the remaining log, so that no later record is
     * passed over.
     */
    @ParameterizedTest
    @EnumSource(IntegrityMode.class)
    void survivesALossOfPowerAsFarAsSynced(IntegrityMode integrity) {
        Path path = Path.of("/", "bookmarks");
        SplittableRandom random = new SplittableRandom(5);
        LogOptions options = TestLogs.options().withIntegrity(integrity);
        for (int seed = 0; seed < 40; seed++) {
            try (PowerLossStorage power = new PowerLossStorage(seed)) {
                long synced = 0;
                List<PowerLossStorage> images = new ArrayList<>();
                try (Log log = Log.open(path, HookedOptions.withStorage(options, power));
                        LogAppender appender = log.appender();
                        Bookmark bookmark = log.bookmark("one")) {
                    for (int i = 0; i < 30; i++) {
                        appender.append(new byte[random.nextInt(60_000)]);
                        bookmark.move(log.endPosition());
                        if (random.nextInt(8) == 0) {
                            log.sync();
                            synced = bookmark.position();
                        }
                    }
                    images.add(power.image(random));
                }
                for (PowerLossStorage image : images) {
                    checkImage(image, path, options, synced);
                }
            }
        }
    }

    private static void checkImage(PowerLossStorage image, Path path, LogOptions options, long synced) {
        try (image) {
            for (int opening = 0; opening < 2; opening++) {
                try (Log log = Log.open(path, HookedOptions.withStorage(options, image));
                        LogAppender appender = log.appender();
                        Bookmark bookmark = log.bookmark("one")) {
                    assertThat(bookmark.position()).isBetween(synced, log.endPosition());
                    try (LogReader reader = log.reader(Math.max(bookmark.position(), log.firstPosition()))) {
                        List<byte[]> before = TestLogs.payloads(reader);
                        appender.append(TestLogs.bytes("later"));
                        assertThat(TestLogs.texts(reader)).containsExactly("later");
                        reader.moveTo(Math.max(bookmark.position(), log.firstPosition()));
                        assertThat(TestLogs.payloads(reader)).hasSize(before.size() + 1);
                    }
                    assertThat(log.verify().problems()).isEmpty();
                }
            }
        }
    }

    /** A power loss may set the generations of slots back, and assign one again that owned a bookmark. */
    @Test
    void hasNoOwnerAfterALossOfPower() {
        Path path = Path.of("/", "owners");
        try (PowerLossStorage power = new PowerLossStorage(3)) {
            LogOptions options = HookedOptions.withStorage(TestLogs.options(), power);
            try (Log log = Log.open(path, options);
                    LogAppender appender = log.appender();
                    Bookmark bookmark = log.bookmark("one")) {
                appender.append(new byte[10]);
                log.sync();
                assertThat(bookmark.position()).isZero();
                try (PowerLossStorage image = power.image(new SplittableRandom(1))) {
                    ownByTheNext(image, path);
                    try (Log after = Log.open(path, HookedOptions.withStorage(options, image));
                            Bookmark again = after.bookmark("one")) {
                        assertThat(again.position()).isZero();
                    }
                }
            }
        }
    }

    /** Gives the bookmark to the generation that the next process in slot 0 will have. */
    private static void ownByTheNext(PowerLossStorage image, Path path) {
        try (ControlFile control = new ControlFile(
                        image.open(path.resolve("log.ctl"), true).orElseThrow(), true);
                BookmarkFile file =
                        BookmarkFile.open(path, image, true, control.identity()).orElseThrow()) {
            file.take(0, (1L << 48) | (control.generationAcquire(0) + 1), 1, 1);
            file.force();
        }
    }

    /** A reader's bookmark moves behind each record whose handler has returned, and no further. */
    @Test
    void followsAReader() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                LogReader reader = log.reader();
                Bookmark bookmark = log.bookmark("one")) {
            long one = appender.append(TestLogs.bytes("one"));
            long two = appender.append(TestLogs.bytes("two"));
            reader.follow(bookmark);
            assertThatThrownBy(() -> reader.drain(
                            (segment, offset, length) -> {
                                assertThat(bookmark.position()).isEqualTo(reader.position() == one ? 0 : two);
                                if (reader.position() == two) {
                                    throw new IllegalStateException("thrown");
                                }
                            },
                            2))
                    .hasMessage("thrown");
            assertThat(bookmark.position()).isEqualTo(two);
            reader.poll((segment, offset, length) -> {});
            assertThat(bookmark.position()).isEqualTo(log.endPosition());
        }
    }

    /** A sync copies marks without the lock of the names: a copied mark of an entry's former owner must not count. */
    @Test
    void aMarkThatIsCopiedWhileItsEntryGetsAnotherNameCountsForNobody() {
        java.util.UUID identity = java.util.UUID.randomUUID();
        BookmarkFile.create(directory, TestLogs.storage(), dev.larder.memory.Access.OWNER, identity);
        try (BookmarkFile file =
                BookmarkFile.open(directory, TestLogs.storage(), true, identity).orElseThrow()) {
            file.rename(0, "former", 1);
            file.move(0, 7, Position.of(0, 8192));
            long salt = file.salt(0);
            file.rename(0, "new", 2);
            file.copy(0, salt);
            assertThat(file.position(0)).isEqualTo(BookmarkFile.START);
            assertThat(file.counter(0)).isZero();
        }
    }

    /** A process that is killed while it names an entry, or drops its name, damages nothing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anEntryThatWasBeingNamedIsFree(boolean dropping, @TempDir Path folder) {
        AtomicBoolean armed = new AtomicBoolean();
        Path copy = folder.resolve("copy");
        LogOptions options = HookedOptions.withFailpoints(TestLogs.options(), step -> {
            if (step.equals("bookmark.naming") && armed.getAndSet(false)) {
                CopiedLog.copy(directory, copy);
            }
        });
        try (Log log = Log.open(directory, options)) {
            log.bookmark("zero").close();
            log.bookmark("one").close();
            armed.set(dropping);
            assertThat(log.dropBookmark("zero")).isTrue();
            armed.set(!dropping);
            log.bookmark("two").close();
        }
        assertThat(copy).exists();
        try (Log log = TestLogs.open(copy)) {
            assertThat(log.verify().problems()).isEmpty();
            assertThat(log.bookmarks()).extracting(BookmarkInfo::name).containsExactly("one");
            log.bookmark("three").close();
            assertThat(log.bookmarks()).extracting(BookmarkInfo::name).containsExactly("one", "three");
            assertThat(log.verify().problems()).isEmpty();
        }
        try (BookmarkFile file = BookmarkFile.open(copy, TestLogs.storage(), false, identityOf(copy))
                .orElseThrow()) {
            assertThat(file.position(2)).as("entry 0 was used again").isZero();
            assertThat(file.counter(2)).isZero();
            assertThat(file.counter(0)).isEqualTo(1);
        }
    }

    private static UUID identityOf(Path log) {
        try (Log open = Log.open(log, TestLogs.options().withReadOnly(true))) {
            return open.info().identity();
        }
    }

    private void moveOne() {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("one")) {
            bookmark.move(appender.append(TestLogs.bytes("record")));
        }
    }

    /** Without this error, the reader of a name would silently begin at the first record again. */
    @Test
    void tellsThatItsFileIsMissing() throws IOException {
        moveOne();
        Files.delete(file());
        String text =
                file() + ": the bookmarks are missing, and with them the positions of all names. Restore the file,"
                        + " or make an empty one of that name: then every name begins at the first record";
        try (Log log = TestLogs.open(directory)) {
            assertThatThrownBy(() -> log.bookmark("one"))
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(text);
            assertThatThrownBy(log::bookmarks).isInstanceOf(CorruptException.class);
            assertThat(log.verify().problems()).containsExactly(text);
            assertThat(log.holds(1).lowestHeld())
                    .as("nobody can tell what is held")
                    .isZero();
            log.sync();
        }
        try (Log log = Log.open(directory, TestLogs.options().withReadOnly(true))) {
            assertThatThrownBy(log::bookmarks)
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(text);
        }
    }

    @Test
    void beginsAnewWhereItsFileWasEmptied() throws IOException {
        moveOne();
        Files.delete(file());
        Files.createFile(file());
        try (Log log = TestLogs.open(directory)) {
            assertThat(log.bookmarks()).isEmpty();
            assertThat(log.verify().problems()).isEmpty();
            try (Bookmark bookmark = log.bookmark("one")) {
                assertThat(bookmark.position()).isZero();
            }
            assertThat(log.bookmarks()).hasSize(1);
        }
    }

    /** A log of an earlier release, or after a machine stop between the two steps, does not record yet that it has bookmarks. */
    @Test
    void isNotedByTheNextProcessThatTakesOne() throws IOException {
        moveOne();
        try (RandomAccessFile control =
                new RandomAccessFile(directory.resolve(ControlLayout.FILE_NAME).toFile(), "rw")) {
            control.seek(ControlLayout.BOOKMARKS);
            control.writeLong(0);
        }
        moveOne();
        Files.delete(file());
        try (Log log = TestLogs.open(directory)) {
            assertThatThrownBy(() -> log.bookmark("one")).isInstanceOf(CorruptException.class);
        }
    }

    /** Otherwise the log could record that it has bookmarks, and a power loss could take the file. */
    @Test
    void isNotedOnlyOnceItsFileHasItsNameDurably() throws IOException {
        moveOne();
        try (RandomAccessFile control =
                new RandomAccessFile(directory.resolve(ControlLayout.FILE_NAME).toFile(), "rw")) {
            control.seek(ControlLayout.BOOKMARKS);
            control.writeLong(0);
        }
        FaultyStorage storage = new FaultyStorage(TestLogs.storage());
        try (Log log = Log.open(directory, HookedOptions.withStorage(TestLogs.options(), storage))) {
            storage.failFrom(StorageCall.SYNC_DIRECTORY, 1, () -> new StorageException("the directory is not flushed"));
            assertThatThrownBy(() -> log.bookmark("one")).hasMessage("the directory is not flushed");
            assertThat(OpenSession.of(log).control.hasBookmarks()).isFalse();
            storage.heal();
            log.bookmark("one").close();
            assertThat(OpenSession.of(log).control.hasBookmarks()).isTrue();
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS) // Windows keeps an open file
    void isNotTakenFromAFileThatWasRemovedMeanwhile() throws IOException {
        moveOne();
        try (Log log = TestLogs.open(directory);
                Bookmark held = log.bookmark("one")) {
            assertThat(held.position()).isPositive();
            Files.delete(file());
            Files.createFile(file()); // by which another process would make a new one, and take the same name
            assertThatThrownBy(() -> log.bookmark("two"))
                    .isInstanceOf(CorruptException.class)
                    .hasMessage(
                            file() + ": the bookmarks were removed or replaced while the log was open; close the log"
                                    + " in every process, and open it again");
        }
    }

    /** A bookmark before the log held every segment for ever, and one behind it held none. */
    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 7L << 32})
    void refusesPositionsThatTheLogCannotHave(long position) {
        try (Log log = TestLogs.open(directory);
                LogAppender appender = log.appender();
                Bookmark bookmark = log.bookmark("one")) {
            long there = appender.append(TestLogs.bytes("one"));
            bookmark.move(there);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> bookmark.move(position))
                    .withMessageContainingAll(directory.toString(), "\"one\"", Position.toString(position));
            assertThat(bookmark.position()).isEqualTo(there);
            bookmark.move(log.endPosition());
        }
    }
}

package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.StorageException;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each member of a node is checked before Raft starts. */
final class MemberFilesTest {

    private static final String PROMISES = "term=5\nvotedFor=2.0\n";
    private static final UUID FIRST = new UUID(1, 1);
    private static final UUID SECOND = new UUID(2, 2);

    @TempDir
    private Path directory;

    private Path current(UUID stripe) {
        return directory.resolve(stripe.toString()).resolve("current");
    }

    @Test
    void shouldFindThatTheSecondMemberHasLostItsTerm() throws IOException {
        RaftOptions options =
                RaftOptions.of(new MemberName(0, 0), FreePorts.take(1).getFirst(), directory, Optional.empty());
        RaftNode.make(options, FIRST);
        RaftNode.make(options, SECOND);
        Files.writeString(current(FIRST).resolve("raft-meta"), "term=5\nvotedFor=\n");
        Files.createFile(current(FIRST).resolve("log_0-0"));
        Files.delete(current(SECOND).resolve("raft-meta"));
        assertThatThrownBy(() -> RaftNode.open(options, List.of(FIRST, SECOND), stripe -> new Register(() -> {})))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll(SECOND.toString(), "raft-meta is missing");
    }

    private static byte[] segment(int entries) {
        ByteBuffer log = ByteBuffer.allocate(200).put("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (int i = 0; i < entries; i++) {
            byte[] entry = {3, 10, 20, 30};
            CRC32C checksum = new CRC32C();
            checksum.update(entry);
            log.put(entry).putInt((int) checksum.getValue());
        }
        return log.array();
    }

    /** Ratis would begin behind the state, with a log that has lost its entries behind the state. */
    @Test
    void shouldFindThatALogEndsBeforeItsState() throws IOException {
        RaftOptions options =
                RaftOptions.of(new MemberName(0, 0), FreePorts.take(1).getFirst(), directory, Optional.empty());
        RaftNode.make(options, FIRST);
        RaftNode.requireEntries(options, FIRST, 7); // its files were pulled
        Files.writeString(current(FIRST).resolve("log_0-3"), "");
        assertThat(MemberFiles.settle(directory.resolve(FIRST.toString()))).isTrue();
        RaftNode.requireEntries(options, FIRST, 3);
        Files.write(current(FIRST).resolve("log_inprogress_4"), segment(3));
        RaftNode.requireEntries(options, FIRST, 6);
        assertThatThrownBy(() -> RaftNode.requireEntries(options, FIRST, 7))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("ends with entry 6", "do not start it again");
    }

    /** Makes the log of a member that led alone: entries 0 to 3 of term 1, and 4 to 6 of term 2. */
    private RaftOptions partedLog() throws IOException {
        RaftOptions options =
                RaftOptions.of(new MemberName(0, 0), FreePorts.take(1).getFirst(), directory, Optional.empty());
        RaftNode.make(options, FIRST);
        Files.writeString(current(FIRST).resolve("raft-meta"), PROMISES);
        writeSegment("log_0-3", 1, 0, 3);
        writeSegment("log_inprogress_4", 2, 4, 6);
        return options;
    }

    private void writeSegment(String name, long term, int first, int last) throws IOException {
        ByteBuffer log = ByteBuffer.allocate(1000).put("RaftLog1".getBytes(StandardCharsets.US_ASCII));
        for (int index = first; index <= last; index++) {
            log.put(PlantedEntries.entry(term, index));
        }
        Files.write(current(FIRST).resolve(name), log.array());
    }

    private boolean hasLog() {
        return !LogPart.of(directory, FIRST).isEmpty();
    }

    /** The state ends in the midst of the log, or at its end. Ratis would keep the entries, and send them if the member leads. */
    @ParameterizedTest
    @ValueSource(ints = {4, 5, 6})
    void aLogGoesThatHoldsAnotherEntryThanThePulledState(int index) throws IOException {
        RaftOptions options = partedLog();
        RaftNode.dropParted(options, FIRST, new Place(3, index));
        assertThat(hasLog()).isFalse();
        RaftNode.requireEntries(options, FIRST, index);
        assertThat(MemberFiles.requireWhole(options, FIRST)).isEqualTo(5);
        assertThat(current(FIRST).resolve("raft-meta")).hasContent(PROMISES);
    }

    /** The entries behind the state may have been acknowledged. */
    @Test
    void aLogStaysThatHoldsTheEntryOfThePulledState() throws IOException {
        RaftOptions options = partedLog();
        RaftNode.dropParted(options, FIRST, new Place(1, 2));
        RaftNode.dropParted(options, FIRST, new Place(2, 5));
        RaftNode.requireEntries(options, FIRST, 5);
        assertThat(RaftLogs.lastEntry(options, FIRST)).isEqualTo(6);
    }

    /** If the store that goes has the values of entries, the files must cover all entries that count. */
    @Test
    void filesCoverALogThatGoesNoFurtherOrPartsFromThem() throws IOException {
        RaftOptions options = partedLog();
        assertThat(RaftLogs.isCovered(options, FIRST, new Place(2, 6))).isTrue();
        assertThat(RaftLogs.isCovered(options, FIRST, new Place(3, 9))).isTrue();
        assertThat(RaftLogs.isCovered(options, FIRST, new Place(3, 5))).isTrue();
        assertThat(RaftLogs.isCovered(options, FIRST, new Place(2, 5))).isFalse();
        assertThat(RaftLogs.isCovered(options, FIRST, new Place(1, 2))).isFalse();
    }

    /** A node of an earlier release sends only the index of an entry. */
    @Test
    void aLogPartsFromNoEntryWhoseTermIsUnknown() throws IOException {
        RaftOptions options = partedLog();
        Place place = new Place(Place.UNKNOWN_TERM, 5);
        assertThat(RaftLogs.isCovered(options, FIRST, place)).isFalse();
        RaftNode.dropParted(options, FIRST, place);
        assertThat(RaftLogs.lastEntry(options, FIRST)).isEqualTo(6);
    }

    /** Only a pulled state may take the place of entries. Any other state came from this log, and has its entries. */
    @Test
    void shouldFindThatALogIsNotThatOfItsState() throws IOException {
        RaftOptions options = partedLog();
        assertThat(MemberFiles.settle(directory.resolve(FIRST.toString()))).isTrue();
        RaftNode.dropParted(options, FIRST, new Place(2, 5));
        assertThatThrownBy(() -> RaftNode.dropParted(options, FIRST, new Place(3, 5)))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("another entry 5", "do not start it again");
        assertThat(RaftLogs.lastEntry(options, FIRST)).isEqualTo(6);
    }

    /** A crash leaves the first file of two. */
    @Test
    void theRestOfALogGoesOfWhichAFileHasGone() throws IOException {
        RaftOptions options = partedLog();
        Files.delete(current(FIRST).resolve("log_inprogress_4"));
        RaftNode.dropParted(options, FIRST, new Place(3, 5));
        RaftNode.requireEntries(options, FIRST, 5);
        assertThat(hasLog()).isFalse();
    }

    /** A crash leaves a beginning of the log, which parts from the state as well, or ends before it. An end alone would not. */
    @Test
    void theLastFileOfALogGoesFirst() throws IOException {
        RaftOptions options = partedLog();
        Path first = current(FIRST).resolve("log_0-3");
        Files.delete(first);
        Files.createFile(Files.createDirectory(first).resolve("so-it-cannot-go"));
        assertThatThrownBy(() -> RaftNode.dropParted(options, FIRST, new Place(3, 5)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("cannot be deleted");
        assertThat(current(FIRST).resolve("log_inprogress_4")).doesNotExist();
    }

    /** The member may have acknowledged entries of another leader since a leader told it where the log begins. */
    @Test
    void aMemberWithALaterTermDoesNotForgetItsLog() throws IOException {
        RaftOptions options = partedLog();
        Path folder = directory.resolve(FIRST.toString());
        assertThat(MemberFiles.settle(folder)).isTrue();
        Place first = new Place(3, 6);
        assertThat(RaftNode.mayFollow(options, FIRST, new LogBeginning(first, 2, 4)))
                .isFalse();
        assertThat(folder.resolve("no-entries")).doesNotExist();
        assertThat(RaftNode.mayFollow(options, FIRST, new LogBeginning(first, 2, 5)))
                .isTrue();
        RaftNode.dropParted(options, FIRST, first);
        assertThat(hasLog()).isFalse();
    }

    /** The member has voted, and was stopped before the first entry came. */
    @Test
    void shouldTakeAMemberWithoutALogThatNeverHadAnEntry() throws IOException {
        RaftOptions options =
                RaftOptions.of(new MemberName(0, 0), FreePorts.take(1).getFirst(), directory, Optional.empty());
        RaftNode.make(options, FIRST);
        Files.writeString(current(FIRST).resolve("raft-meta"), "term=5\nvotedFor=\n");
        assertThat(MemberFiles.requireWhole(options, FIRST)).isEqualTo(5);
        Path folder = directory.resolve(FIRST.toString());
        assertThat(MemberFiles.settle(folder)).isFalse();
        Path log = Files.createFile(current(FIRST).resolve("log_0-0"));
        assertThat(MemberFiles.settle(folder)).isTrue();
        assertThat(MemberFiles.requireWhole(options, FIRST)).isEqualTo(5);
        Files.delete(log);
        assertThatThrownBy(() -> MemberFiles.requireWhole(options, FIRST))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll(FIRST.toString(), "holds no log");
    }
}

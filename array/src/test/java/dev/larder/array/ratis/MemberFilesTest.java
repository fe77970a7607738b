package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
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

/** Each member of a node is looked at before Raft starts. */
final class MemberFilesTest {

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

    /** Ratis would begin behind the state, with a log that has lost what it had behind that. */
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
                .hasMessageContainingAll("ends with entry 6", "must not come back");
    }

    /** It has voted, and was stopped before the first entry came. */
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

package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.memory.StorageException;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members that start and stop on a node. */
@Timeout(300)
final class RaftNodeTest {

    private static final UUID STRIPE = new UUID(0, 1);
    private static final MemberName OWN = new MemberName(0, 0);
    private static final MemberName LEADER = new MemberName(1, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final List<InetSocketAddress> addresses = FreePorts.take(3);
    private final List<StripePeer> three = IntStream.range(0, addresses.size())
            .mapToObj(node -> new StripePeer(new MemberName(node, 0), addresses.get(node), false))
            .toList();
    private RaftOptions options;

    @BeforeEach
    void choose() {
        options = RaftOptions.of(OWN, addresses.getFirst(), directory, Optional.empty())
                .withElection(Duration.ofMillis(300), Duration.ofMillis(600));
    }

    private Path current() {
        return options.directory().resolve(STRIPE.toString()).resolve("current");
    }

    private RaftNode open(List<UUID> stripes) {
        RaftNode raft = RaftNode.open(options, stripes, stripe -> new Register(() -> {}));
        raft.start();
        return raft;
    }

    /** Regression: the folder of a member that could not be started stayed locked until the process ended. */
    @Test
    void aMemberStartsOnceTheReasonOfAFailedStartHasGone() throws IOException {
        RaftNode.make(options, STRIPE);
        try (RaftNode raft = open(List.of(STRIPE))) {
            Path damaged = Files.writeString(current().resolve("log_0-3"), "this is no log");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> raft.add(STRIPE, three))
                        .isInstanceOf(StorageException.class)
                        .hasMessageNotContaining("lock");
            }
            Files.delete(damaged);
            raft.add(STRIPE, three);
            assertThat(raft.isAlive(STRIPE)).isTrue();
            assertThatThrownBy(() -> raft.add(STRIPE, three)).isInstanceOf(StorageException.class);
            assertThat(raft.isAlive(STRIPE)).as("it was running already").isTrue();
        }
    }

    /** Regression: each failed start left a thread, which kept what had been read, and 2 MiB of direct memory. */
    @Test
    void aFailedStartLeavesNoThread() throws IOException {
        RaftNode.make(options, STRIPE);
        try (RaftNode raft = open(List.of(STRIPE))) {
            Path damaged = Files.writeString(current().resolve("log_0-3"), "this is no log");
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> raft.add(STRIPE, three)).isInstanceOf(StorageException.class);
                assertThat(evictions()).isEmpty();
            }
            Files.delete(damaged);
            raft.add(STRIPE, three);
            assertThat(evictions()).hasSize(1);
            assertThatThrownBy(() -> raft.add(STRIPE, three)).isInstanceOf(StorageException.class);
            assertThat(evictions()).as("that of the member that runs").hasSize(1);
        }
    }

    /** Returns the names of the threads with which logs of this member drop entries from the heap. */
    private static List<String> evictions() {
        RaftGroupMemberId member = RaftGroupMemberId.valueOf(RaftNode.id(OWN), RaftGroupId.valueOf(STRIPE));
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith(member + "-cacheEviction"))
                .toList();
    }

    /** Regression: as long as one member had stopped, a member that lost its log later was not found out. */
    @Test
    void aMemberThatHasStoppedDoesNotKeepOthersFromBeingSettled() {
        List<UUID> all = LongStream.rangeClosed(1, 4)
                .mapToObj(number -> new UUID(0, number))
                .toList();
        all.forEach(stripe -> RaftNode.make(options, stripe));
        try (RaftNode raft = open(all)) {
            all.forEach(stripe -> raft.add(stripe, three.subList(0, 1)));
            await().atMost(PATIENCE)
                    .until(() ->
                            all.stream().allMatch(stripe -> raft.member(stripe).isReady()));
            raft.division(all.getFirst()).close();
            raft.tick();
            assertThat(all.stream().filter(this::maySeemNew)).containsExactly(all.getFirst());
        }
    }

    private boolean maySeemNew(UUID stripe) {
        return Files.exists(options.directory().resolve(stripe.toString()).resolve("no-entries"));
    }

    private void append(RaftNode raft, LogEntryProto entry) {
        assertThat(new RaftMessages(STRIPE).append(LEADER, raft.division(STRIPE), List.of(entry)))
                .succeedsWithin(PATIENCE)
                .returns(AppendResult.SUCCESS, AppendEntriesReplyProto::getResult);
    }

    /** Regression: the file came from a leader that had not committed these members, and the node did not start again. */
    @Test
    void aMemberStartsThoughItsFileNamesOtherMembersThanItsLog() throws IOException {
        RaftNode.make(options, STRIPE);
        LogEntryProto logged = RaftMessages.voters(0, three, List.of());
        try (RaftNode raft = open(List.of(STRIPE))) {
            raft.add(STRIPE, three);
            append(raft, logged);
        }
        Path file = Files.write(
                RaftLogs.members(options, STRIPE),
                RaftMessages.voters(0, three.subList(0, 2), List.of()).toByteArray());
        try (RaftNode raft = open(List.of(STRIPE))) {
            raft.add(STRIPE, three);
            assertThat(raft.configurations().members(STRIPE).voters()).hasSize(3);
        }
        assertThat(file).doesNotExist();
    }

    @Test
    void theFileOfMembersStaysUnlessTheLogHasOthersInItsPlace() throws IOException {
        RaftNode.make(options, STRIPE);
        LogEntryProto logged = RaftMessages.voters(0, three, List.of());
        try (RaftNode raft = open(List.of(STRIPE))) {
            raft.add(STRIPE, three);
            append(raft, logged);
        }
        Path file = RaftLogs.members(options, STRIPE);
        for (LogEntryProto named : List.of(logged, RaftMessages.voters(7, three.subList(0, 2), List.of()))) {
            Files.write(file, named.toByteArray());
            MemberFiles.dropReplacedMembers(options, STRIPE);
            assertThat(file).exists();
        }
        Files.writeString(file, "this is no entry");
        MemberFiles.dropReplacedMembers(options, STRIPE);
        assertThat(file).exists();
    }
}

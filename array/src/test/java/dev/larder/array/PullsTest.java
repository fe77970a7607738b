package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.larder.array.node.Stripes;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.slots.StripeMembers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Pulled files bring the members of the stripe. The entry that changed the members may lie before the files, where no log has it.
 * A member that used another list could elect a leader, or be one, with a majority of removed members.
 */
final class PullsTest {

    private static final int NODES = 3;
    private static final int STRIPE = 0;
    private static final int FILES_INDEX = 10;
    private static final UUID ARRAY = new UUID(5, 6);

    @TempDir
    private Path directory;

    private ArrayOptions options;
    private Path members;

    @BeforeEach
    void makeMember() throws IOException {
        Map<Integer, NodeAddresses> nodes = new TreeMap<>();
        for (int node = 0; node < NODES; node++) {
            nodes.put(node, new NodeAddresses(nobody(), nobody(), nobody()));
        }
        options = ArrayOptions.of(ARRAY, 0, nodes, directory).withStripes(1, NODES);
        RaftOptions raft = Members.raftOptions(options);
        UUID id = StripeMembers.id(ARRAY, STRIPE);
        RaftNode.make(raft, id);
        members = RaftLogs.members(raft, id);
        Files.writeString(members, "as told before");
    }

    private static InetSocketAddress nobody() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    }

    /** Leaves a folder as a process does that was killed before it put the files in place. */
    private Path pullFiles() throws IOException {
        Path pulling = StoreFiles.store(options, STRIPE).resolveSibling(STRIPE + ".pulling");
        Path store = Files.createDirectories(pulling.resolve("files/store"));
        Files.writeString(store.resolve("file"), "of the source");
        Files.writeString(pulling.resolve("files/members"), "as committed");
        Files.writeString(pulling.resolve("source"), "1 2 " + FILES_INDEX + " 0 0\n");
        Files.createFile(pulling.resolve("whole"));
        return pulling;
    }

    private static void move(Path from, Path to) throws IOException {
        Files.createDirectories(to);
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
    }

    private void takeUp() {
        try (Pulls pulls = new Pulls(
                options, new Stripes(0, options.members()), stripe -> Optional.empty(), (frame, node) -> {})) {
            pulls.takeUp(STRIPE);
            assertThat(pulls.isBehind(STRIPE)).isFalse();
        }
        assertThat(StoreFiles.store(options, STRIPE).resolve("file")).hasContent("of the source");
    }

    /**
     * The process was killed as it deleted the folder. The files are the store already, and the source may be gone. Earlier
     * releases deleted {@code source} first.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"whole", "source whole", "done source whole", "done files whole", "done files/members whole"})
    void filesThatAreTheStoreAreNotPulledAgain(String left) throws IOException {
        Path store = StoreFiles.store(options, STRIPE);
        Path pulling = pullFiles();
        Files.createFile(pulling.resolve("done"));
        move(pulling.resolve("files/store"), store);
        List<String> names = List.of(left.split(" ", -1));
        for (String name : List.of("source", "files/members", "files", "done")) {
            if (names.stream().noneMatch(kept -> kept.startsWith(name))) {
                Files.delete(pulling.resolve(name));
            }
        }
        takeUp();
        assertThat(pulling).doesNotExist();
    }

    /** Returns node 1's report that its members of all stripes run. */
    private static ByteBuffer allRun(Stripes stripes, int count) {
        ByteBuffer report =
                ByteBuffer.allocate(9 + count * 49).put((byte) 3).putInt(0).putInt(count);
        for (int stripe = 0; stripe < count; stripe++) {
            UUID id = stripes.id(stripe);
            report.putLong(id.getMostSignificantBits()).putLong(id.getLeastSignificantBits());
            report.putLong(7).putLong(7).put((byte) 1).putLong(1).putLong(7);
        }
        return report.flip();
    }

    /** Regression: all pulled at once. At a low rate, each asked its source so seldom that the source gave it up. */
    @Test
    void onlySomeStoresArePulledAtOnce() {
        int count = 7;
        ArrayOptions many = options.withStripes(count, NODES);
        Stripes stripes = new Stripes(0, many.members());
        Set<UUID> begun = ConcurrentHashMap.newKeySet();
        try (Pulls pulls = new Pulls(
                many,
                stripes,
                stripe -> Optional.empty(),
                (frame, node) -> begun.add(new UUID(frame.getLong(10), frame.getLong(18))))) { // and no answer
            stripes.heard(1, allRun(stripes, count));
            for (int stripe = 0; stripe < count; stripe++) {
                pulls.behind(stripe, 0);
                assertThat(pulls.isPulled(stripe)).isFalse();
            }
            await().until(() -> {
                stripes.heard(1, allRun(stripes, count));
                return begun.size() >= 4;
            });
            await().during(Duration.ofSeconds(1)).until(() -> {
                stripes.heard(1, allRun(stripes, count));
                return begun.size() == 4;
            });
        }
    }

    @Test
    void theMembersThatComeWithFilesCount() throws IOException {
        pullFiles();
        takeUp();
        assertThat(members).hasContent("as committed");
    }

    /** Such a log has, behind the files, each entry that changed the members. */
    @Test
    void theOwnMembersCountWhereTheLogGoesFurther() throws IOException {
        pullFiles();
        Path log = Objects.requireNonNull(members.getParent());
        Files.createFile(log.resolve("log_0-" + (FILES_INDEX + 1)));
        takeUp();
        assertThat(members).hasContent("as told before");
    }
}

package dev.larder.array;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.ratis.LostPromisesException;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.memory.ForeignFileException;
import dev.larder.memory.StorageException;
import dev.larder.server.Configuration;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** The folder of a node that does not run. */
final class NodeFolderTest {

    @TempDir
    private Path directory;

    /** Makes a node; returns its options. */
    private ArrayOptions made() {
        return TestArray.made(directory, 0).options(0);
    }

    @Test
    void filesOfAnotherNodeOrArrayAreRefused() {
        ArrayOptions options = made();
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(new UUID(1, 1), 0, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("array.ctl");
        assertThatThrownBy(() -> ArrayNode.start(
                        ArrayOptions.of(options.array(), 1, options.nodes(), options.directory()),
                        Configuration.defaults().with("port", "0")))
                .isInstanceOf(ForeignFileException.class)
                .hasMessageContaining("belongs to node 0");
    }

    @Test
    void aNodeIsMadeInAnEmptyFolder() {
        ArrayOptions options = made();
        assertThatThrownBy(() -> ArrayNode.create(options))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("empty folder");
    }

    private static String permissions(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    /** The logs hold keys and values, and Ratis makes them readable by all users. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void nobodyElseMayReadTheFolder() throws IOException {
        ArrayOptions options = made();
        assertThat(permissions(options.directory())).isEqualTo("rwx------");
        assertThat(permissions(options.directory().resolve("raft"))).isEqualTo("rwx------");
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxr-xr-x"));
        ArrayNode.create(ArrayOptions.of(options.array(), 0, options.nodes(), open));
        assertThat(permissions(open)).isEqualTo("rwxr-x---");
        assertThat(permissions(open.resolve("raft"))).isEqualTo("rwx------");
    }

    /** A host name may be gone for a while, or for good if its node is gone. */
    @Test
    void aNodeStartsThoughNobodyKnowsTheHostsOfTheOthers() {
        ArrayOptions made = made();
        Map<Integer, NodeAddresses> nodes = new HashMap<>(made.nodes());
        nodes.replaceAll((node, addresses) -> node == 0
                ? addresses
                : new NodeAddresses(
                        unknown(addresses.clients()), unknown(addresses.raft()), unknown(addresses.links())));
        int port = Objects.requireNonNull(nodes.get(0)).clients().getPort();
        String unknown = "no-such-host.invalid";
        try (ArrayNode node = ArrayNode.start(
                        TestArray.options(made.directory(), 0, nodes, CatchUp.defaults()),
                        Configuration.defaults().with("port", Integer.toString(port)));
                RespClient client = new RespClient(node.port())) {
            assertThat(client.call("CLUSTER NODES")).contains(unknown);
            assertThat(client.call("CLUSTER SLOTS")).contains(unknown);
            assertThat(client.call("GET a")).startsWith("CLUSTERDOWN");
        }
    }

    private static InetSocketAddress unknown(InetSocketAddress address) {
        return InetSocketAddress.createUnresolved("no-such-host.invalid", address.getPort());
    }

    private static ArrayNode started(ArrayOptions options) {
        int port = options.addresses().clients().getPort();
        return ArrayNode.start(options, Configuration.defaults().with("port", Integer.toString(port)));
    }

    private static void damageRecord(ArrayOptions options, int stripe) throws IOException {
        Path record = StoreFiles.record(options, stripe);
        Files.createDirectories(Objects.requireNonNull(record.getParent()));
        Files.writeString(record, "damaged");
    }

    /** A member whose store is damaged has its log and its vote. It is tried again while the node runs. */
    @Test
    void aNodeStartsThoughTheStoreOfOneMemberIsDamaged() throws IOException {
        ArrayOptions options = made();
        damageRecord(options, 1);
        try (ArrayNode node = started(options)) {
            assertThat(node.hasMember(0)).isTrue();
            assertThat(node.hasMember(1)).isFalse();
            Files.delete(StoreFiles.record(options, 1));
            await().atMost(Duration.ofMinutes(1)).until(() -> node.hasMember(1));
        }
    }

    @Test
    void aNodeDoesNotStartIfNoMemberDoes() throws IOException {
        ArrayOptions options = made();
        for (int stripe = 0; stripe < options.stripes(); stripe++) {
            damageRecord(options, stripe);
        }
        assertThatThrownBy(() -> started(options))
                .isInstanceOf(StorageException.class)
                .hasMessageContainingAll("cannot open any of its members", "is damaged");
    }

    /** A damaged store does not hide that its member has lost its vote. */
    @Test
    void aNodeDoesNotStartIfAMemberHasLostItsVote() throws IOException {
        ArrayOptions options = made();
        damageRecord(options, 1);
        Path promises = RaftLogs.members(
                        Members.raftOptions(options), options.members().get(1).id())
                .resolveSibling("raft-meta");
        Files.delete(promises);
        assertThatThrownBy(() -> started(options))
                .isInstanceOf(LostPromisesException.class)
                .hasMessageContaining("do not start it again");
    }
}

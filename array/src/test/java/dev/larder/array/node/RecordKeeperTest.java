package dev.larder.array.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.array.MemberName;
import dev.larder.array.NodeAddresses;
import dev.larder.array.form.RecordJson;
import dev.larder.array.meta.ArrayRecord;
import dev.larder.array.meta.KnownNode;
import dev.larder.array.node.Leadership.Claim;
import dev.larder.array.node.Leadership.Here;
import dev.larder.array.plan.Node;
import dev.larder.array.plan.NodeState;
import dev.larder.array.plan.Topology;
import dev.larder.array.ratis.LogEnd;
import dev.larder.array.slots.Membership;
import dev.larder.array.slots.StripeMembers;
import dev.larder.array.stripe.StripeState.LogBeginning;
import dev.larder.memory.CorruptException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The record of the array, which nodes send each other and keep. */
final class RecordKeeperTest {

    private static final UUID ARRAY = new UUID(1, 2);

    @TempDir
    private Path directory;

    private static NodeAddresses addresses(int port) {
        return new NodeAddresses(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 1),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port + 2));
    }

    private static ArrayRecord founding() {
        return founding(addresses(7000));
    }

    private static ArrayRecord founding(NodeAddresses first) {
        TreeMap<Integer, NodeAddresses> nodes = new TreeMap<>();
        for (int node = 0; node < 3; node++) {
            int added = 10 * node;
            nodes.put(
                    node,
                    first.with(address -> new InetSocketAddress(address.getAddress(), address.getPort() + added)));
        }
        return ArrayRecord.founding(nodes, 2, 0, StripeMembers.inTurn(ARRAY, List.of(0, 1, 2), 4, 2, 0));
    }

    private RecordKeeper keeper(String name) {
        return new RecordKeeper(directory.resolve(name), founding());
    }

    /** Sends the first keeper's version to the second one, and its answer, if any, to the first. */
    private static void tell(RecordKeeper first, RecordKeeper second) {
        ByteBuffer answer = second.received(first.version());
        if (answer != null) {
            assertThat(first.received(answer)).isNull();
        }
    }

    @Test
    void aNodeThatKnowsLessIsTold() {
        RecordKeeper first = keeper("first");
        RecordKeeper second = keeper("second");
        ArrayRecord next = founding().adding("rack", 3, addresses(8000));
        second.learn(RecordJson.write(next));
        tell(second, first);
        assertThat(first.record().version()).isZero();
        List<Long> heard = new ArrayList<>();
        first.listen(record -> heard.add(record.version()));
        tell(first, second);
        assertThat(first.record()).isEqualTo(next);
        first.learn(RecordJson.write(founding().withVersion(1)));
        first.learn("not JSON");
        assertThat(first.record()).isEqualTo(next);
        assertThat(heard).containsExactly(0L, 1L);
        assertThat(keeper("first").record()).isEqualTo(next);
    }

    @Test
    void aRecordSaysWhichNodesListenForTls() {
        ArrayRecord record = founding().withAddresses(1, addresses(7010).withTlsPort(OptionalInt.of(7013)));
        assertThat(record.version()).isEqualTo(1);
        String json = RecordJson.write(record);
        assertThat(json).containsOnlyOnce("\"tlsPort\":7013");
        assertThat(read(json)).isEqualTo(record);
        String beyond = json.replace(":7013", ":65536");
        assertThatThrownBy(() -> RecordJson.read(beyond))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("nodes[1].tlsPort is not a number from 1 to 65535: 65536");
        assertThat(json).doesNotContain("tlsOnly");
        ArrayRecord only = founding()
                .withAddresses(
                        1, addresses(7010).withTlsPort(OptionalInt.of(7013)).withTlsOnly());
        String jsonOfOnly = RecordJson.write(only);
        assertThat(jsonOfOnly).containsOnlyOnce("\"tlsOnly\":true");
        assertThat(read(jsonOfOnly)).isEqualTo(only);
    }

    private static ArrayRecord read(String json) {
        return RecordJson.read(json).withAddresses(NodeAddresses::lookedUp);
    }

    /** Regression: the thread of the links looked up the hosts of a record, and a slow name service silenced the node. */
    @Test
    void aRecordIsLearntWithoutALookForItsHosts() {
        InetSocketAddress name = InetSocketAddress.createUnresolved("localhost", 8000);
        InetSocketAddress found = new NodeAddresses(name, name, name).lookedUp().links();
        ArrayRecord next = founding(literal(7000)).adding("rack", 1, new NodeAddresses(name, name, name));
        RecordKeeper keeper = new RecordKeeper(directory.resolve("record"), founding(literal(7000)));
        assertThat(keeper.hasNewHosts()).isFalse();
        List<InetSocketAddress> heard = new ArrayList<>();
        keeper.learn(RecordJson.write(next));
        keeper.listen(now -> heard.add(now.node(3).orElseThrow().addresses().links()));
        assertThat(keeper.hasNewHosts()).isTrue();
        keeper.lookForHosts(node -> false);
        assertThat(keeper.hasNewHosts()).isFalse();
        keeper.learn(RecordJson.write(next.adding("rack", 1, literal(9000)))); // known hosts keep their addresses
        assertThat(heard).containsExactly(name, found, found);
    }

    private static NodeAddresses literal(int port) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
        return new NodeAddresses(address, address, address);
    }

    /** Regression: no node could say where the stripes were any more, so that no command could change the array. */
    @Test
    void anArrayHasNoMoreNodesThanATopology() {
        ArrayRecord full = founding();
        while (full.nodes().size() < Topology.NODES_MAX) {
            full = full.adding("rack", 1, addresses(8000));
        }
        ArrayRecord most = full;
        assertThatThrownBy(() -> most.adding("rack", 1, addresses(8000)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the array would have 257 nodes, but it has at most 256");
        List<KnownNode> nodes = new ArrayList<>(most.nodes());
        nodes.add(new KnownNode(new Node(most.nextNode(), "rack", 1, NodeState.IN), addresses(8000)));
        ArrayRecord more = new ArrayRecord(1, most.nextNode() + 1, 2, 0, nodes, most.goals());
        TopologyCommands commands = new TopologyCommands(
                new Stripes(0, StripeMembers.inTurn(ARRAY, List.of(0, 1, 2), 4, 2, 0)),
                keeper("record"),
                () -> founding().topology(ARRAY, List.of()),
                List::of,
                false);
        assertThatThrownBy(() -> commands.propose(more, false))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("257 nodes");
    }

    @Test
    void aDamagedFileIsNamedAndStays() throws IOException {
        RecordKeeper keeper = keeper("record.json");
        keeper.learn(RecordJson.write(founding().adding("rack", 3, addresses(8000))));
        Path file = directory.resolve("record.json");
        String whole = Files.readString(file);
        for (String damaged :
                List.of("", whole.substring(0, whole.length() / 2), whole.replace("\"goals\"", "\"g\""))) {
            Files.writeString(file, damaged);
            assertThatThrownBy(() -> keeper("record.json"))
                    .isInstanceOf(CorruptException.class)
                    .hasMessageStartingWith(file + " is damaged: ");
            assertThat(file).hasContent(damaged);
        }
        Files.write(file, new byte[] {'{', (byte) 0xff, '}'});
        assertThatThrownBy(() -> keeper("record.json"))
                .isInstanceOf(CorruptException.class)
                .hasMessage(file + " is damaged: it is not text in UTF-8");
    }

    /** A host name that is unknown for a while is looked up again. */
    @Test
    void aHostIsLookedForUntilItIsKnown() {
        InetSocketAddress unknown = InetSocketAddress.createUnresolved("127.0.0.1", 8000);
        ArrayRecord record = founding().adding("rack", 1, new NodeAddresses(unknown, unknown, unknown));
        RecordKeeper keeper = new RecordKeeper(directory.resolve("none"), record);
        List<InetSocketAddress> heard = new ArrayList<>();
        keeper.listen(now -> heard.add(now.node(3).orElseThrow().addresses().links()));
        assertThat(keeper.hasUnknownHosts()).isTrue();
        keeper.lookForHosts(node -> false);
        keeper.lookForHosts(node -> false);
        assertThat(heard).containsExactly(unknown, new InetSocketAddress(InetAddress.getLoopbackAddress(), 8000));
        assertThat(keeper.hasUnknownHosts()).isFalse();
    }

    /** A host may have several addresses: a link must not move from one to another for each lookup. */
    @Test
    void aNodeThatIsReachedKeepsItsAddress() throws UnknownHostException {
        InetAddress former = InetAddress.getByAddress("localhost", new byte[] {127, 0, 0, 9});
        RecordKeeper keeper = new RecordKeeper(
                directory.resolve("none"),
                founding(addresses(7000).with(address -> new InetSocketAddress(former, address.getPort()))));
        keeper.lookForHosts(node -> node != 1);
        assertThat(keeper.record().nodes())
                .extracting(node -> node.addresses().links().getAddress().equals(former))
                .containsExactly(true, false, true);
    }

    @Test
    void numbersAreGivenOnce() {
        ArrayRecord added = founding().adding("rack", 1, addresses(8000));
        assertThat(added.node(3)).isPresent();
        ArrayRecord removed = added.without(3);
        assertThat(removed.node(3)).isEmpty();
        assertThat(removed.adding("rack", 1, addresses(8000)).node(4)).isPresent();
        assertThatThrownBy(() -> new ArrayRecord(1, 3, 2, 0, added.nodes(), added.goals()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("node 3");
    }

    @Test
    void whatALeaderTellsOfItsMembersCountsByTermAndEpoch() {
        Leaders leaders = new Leaders(() -> 0);
        UUID stripe = StripeMembers.id(ARRAY, 0);
        MemberName zero = new MemberName(0, 0);
        MemberName one = new MemberName(1, 0);
        Membership early = new Membership(5, Set.of(zero), Set.of(), Set.of(one), Set.of());
        Membership late = new Membership(9, Set.of(zero, one), Set.of(), Set.of(), Set.of());
        heard(leaders, 0, new Claim(stripe, 2, late));
        heard(leaders, 1, new Claim(stripe, 1, early));
        assertThat(leaders.members(stripe)).contains(new Hearsay(2, late));
        assertThat(leaders.leader(stripe)).hasValue(0);
        heard(leaders, 1, new Claim(stripe, 3, early));
        assertThat(leaders.members(stripe)).contains(new Hearsay(3, early));
        assertThat(leaders.hasMember(1, stripe)).isTrue();
        assertThat(leaders.hasMember(2, stripe)).isFalse();
        ByteBuffer cut = new Leadership(
                        List.of(new Claim(stripe, 3, early)),
                        Map.of(stripe, new Here(7, 8, true, false, new LogEnd(2, 9))))
                .encode();
        assertThatThrownBy(() -> Leadership.decode(Objects.requireNonNull(cut.limit(cut.limit() - 1))))
                .isInstanceOf(CorruptException.class);
    }

    /** A member that is away needs what it reported last. Nothing is known of a member that has never reported. */
    @Test
    void whatOthersHaveKeptIsTheLowestOfMembersAndOfThoseThatJoin() {
        AtomicLong nanos = new AtomicLong();
        Leaders leaders = new Leaders(nanos::get);
        UUID stripe = StripeMembers.id(ARRAY, 0);
        hasKept(leaders, 1, stripe, 50);
        hasKept(leaders, 2, stripe, 40);
        assertThat(leaders.lowestKept(stripe, List.of(1, 2))).isEqualTo(40);
        assertThat(leaders.lowestKept(stripe, List.of(1, 2, 3))).isEqualTo(-1);
        hasKept(leaders, 4, stripe, 30); // node 4 is about to join
        assertThat(leaders.lowestKept(stripe, List.of(1, 2))).isEqualTo(30);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(10));
        hasKept(leaders, 1, stripe, 60);
        assertThat(leaders.lowestKept(stripe, List.of(1, 2))).isEqualTo(40);
        assertThat(leaders.lowestKept(stripe, List.of(1))).isEqualTo(60);
    }

    /** An entry that a leader has applied is committed. Reports of other nodes do not count: they may have another leader. */
    @Test
    void anEntryIsAppliedOnceThatNodeHasSaidSo() {
        Stripes stripes = new Stripes(0, StripeMembers.inTurn(ARRAY, List.of(0, 1, 2), 4, 3, 0));
        UUID stripe = stripes.id(3);
        assertThat(stripes.isApplied(3, 1, 50)).isFalse();
        hasApplied(stripes, 1, stripe, 50);
        hasApplied(stripes, 2, stripe, 70);
        assertThat(stripes.isApplied(3, 1, 50)).isTrue();
        assertThat(stripes.isApplied(3, 1, 51)).isFalse();
        assertThat(stripes.isApplied(3, LogBeginning.UNKNOWN, 1)).isFalse();
        hasApplied(stripes, 1, stripe, Long.MAX_VALUE); // it ends
        assertThat(stripes.isApplied(3, 1, 51)).isFalse();
    }

    private static void hasApplied(Stripes stripes, int node, UUID stripe, long index) {
        stripes.heard(
                node, new Leadership(List.of(), Map.of(stripe, new Here(7, index, true, false, LogEnd.NONE))).encode());
    }

    private static void hasKept(Leaders leaders, int node, UUID stripe, long index) {
        leaders.heard(
                node,
                Leadership.decode(new Leadership(
                                List.of(), Map.of(stripe, new Here(index, -1, false, false, LogEnd.NONE)))
                        .encode()));
    }

    private static void heard(Leaders leaders, int node, Claim claim) {
        leaders.heard(
                node,
                Leadership.decode(new Leadership(
                                List.of(claim), Map.of(claim.stripe(), new Here(7, 8, true, false, new LogEnd(2, 9))))
                        .encode()));
    }
}

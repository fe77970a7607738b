package dev.larder.array.ratis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.larder.array.MemberName;
import dev.larder.tests.support.FreePorts;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.ratis.grpc.server.GrpcServices;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorageMetadata;
import org.apache.ratis.server.storage.RaftStorageMetadataFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A member of three, whose disk fails or counts the syncs, on real Raft. The test speaks for the others. */
@Timeout(300)
final class DurablePromisesTest {

    private static final UUID STRIPE = new UUID(8, 8);
    private static final MemberName OWN = new MemberName(0, 0);
    private static final MemberName CANDIDATE = new MemberName(1, 0);
    private static final MemberName OTHER = new MemberName(2, 0);
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private final RaftMessages messages = new RaftMessages(STRIPE);
    private final List<Path> synced = new ArrayList<>();
    private boolean isBroken;
    private DurablePromises promises;
    private List<StripePeer> voters;
    private RaftNode raft;
    private RaftServer receiver;

    /** Starts a member that wins no election by itself. */
    @BeforeEach
    void start() {
        promises = new DurablePromises(this::sync);
        List<InetSocketAddress> addresses = FreePorts.take(3);
        voters = IntStream.range(0, addresses.size())
                .mapToObj(node -> new StripePeer(new MemberName(node, 0), addresses.get(node), false))
                .toList();
        RaftOptions options = RaftOptions.of(OWN, addresses.getFirst(), directory, Optional.empty())
                .withElection(Duration.ofSeconds(30), Duration.ofSeconds(60));
        RaftNode.make(options, STRIPE);
        raft = RaftNode.open(options, List.of(STRIPE), stripe -> new Register(() -> {}));
        raft.start();
        raft.add(STRIPE, voters);
        receiver = promises.receiving(FollowerAppends.of(raft.server()));
    }

    private void sync(Path path) throws IOException {
        if (isBroken) {
            throw new IOException("the test fails the sync");
        }
        synced.add(path);
    }

    @AfterEach
    void stop() {
        raft.close();
    }

    private RaftServer.Division member() {
        return raft.division(STRIPE);
    }

    private RaftStorageMetadataFile file() {
        return member().getRaftStorage().getMetadataFile();
    }

    private RequestVoteRequestProto candidacy(MemberName candidate, long term) {
        return messages.candidacy(member(), candidate, term, 0);
    }

    private boolean votes(MemberName candidate, long term) throws IOException {
        return receiver.requestVote(candidacy(candidate, term)).getServerReply().getSuccess();
    }

    private Path folder() {
        return directory.resolve(STRIPE.toString()).resolve("current");
    }

    /** Regression: a power loss could take the vote back, and the member voted again in the same term. */
    @Test
    void aVoteIsDurableBeforeTheAnswerGoes() throws IOException {
        isBroken = true;
        assertThatThrownBy(() -> votes(CANDIDATE, 5)).isInstanceOf(IOException.class);
        assertThat(file().getMetadata()).isEqualTo(RaftStorageMetadata.valueOf(5, RaftNode.id(CANDIDATE)));
        isBroken = false;
        assertThat(votes(CANDIDATE, 5)).isTrue();
        assertThat(synced).containsExactly(folder());
        assertThat(votes(CANDIDATE, 5)).isTrue();
        assertThat(votes(OTHER, 5)).isFalse();
        assertThat(synced).as("nothing has changed").hasSize(1);
        assertThat(votes(OTHER, 6)).isTrue();
        assertThat(synced).hasSize(2);
    }

    /** Else the member could return to the former term, whose leader makes it cut off the entries. */
    @Test
    void aTermIsDurableBeforeEntriesAreAcknowledged() {
        LogEntryProto first = RaftMessages.voters(0, voters, List.of());
        isBroken = true;
        assertThat(messages.append(receiver, CANDIDATE, member(), List.of(first)))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("the test fails the sync");
        isBroken = false;
        append(first);
        append(RaftMessages.voters(1, voters, List.of()));
        assertThat(synced).containsExactly(folder());
    }

    private void append(LogEntryProto entry) {
        assertThat(messages.append(receiver, CANDIDATE, member(), List.of(entry)))
                .succeedsWithin(PATIENCE)
                .returns(AppendResult.SUCCESS, AppendEntriesReplyProto::getResult);
    }

    /** Ratis goes on in a term that it could not write. */
    @Test
    void aMemberAcknowledgesNoEntryInATermThatIsNotInItsFile() throws IOException {
        append(RaftMessages.voters(0, voters, List.of()));
        file().persist(RaftStorageMetadata.valueOf(0, null));
        assertThat(messages.append(receiver, CANDIDATE, member(), List.of(RaftMessages.voters(1, voters, List.of()))))
                .failsWithin(PATIENCE)
                .withThrowableThat()
                .withMessageContaining("does not answer in term 1");
    }

    /** Returns services that add the requests which leave this node to a list. */
    private GrpcServices sending(List<RequestVoteRequestProto> left) {
        GrpcServices services = (GrpcServices) Proxy.newProxyInstance(
                GrpcServices.class.getClassLoader(),
                new Class<?>[] {GrpcServices.class},
                (proxy, method, arguments) -> {
                    left.add((RequestVoteRequestProto) arguments[0]);
                    return RequestVoteReplyProto.getDefaultInstance();
                });
        return promises.sending(services, raft.server());
    }

    @Test
    void theVoteForItselfIsDurableBeforeOthersAreAsked() throws IOException {
        List<RequestVoteRequestProto> left = new ArrayList<>();
        GrpcServices services = sending(left);
        append(RaftMessages.voters(0, voters, List.of())); // from its leader
        synced.clear();
        assertThat(raft.elections().stand(STRIPE, CANDIDATE)).isTrue();
        await().atMost(PATIENCE).until(() -> file().getMetadata().getVotedFor().equals(RaftNode.id(OWN)));
        RequestVoteRequestProto request = candidacy(OWN, file().getMetadata().getTerm());
        isBroken = true;
        assertThatThrownBy(() -> services.requestVote(request)).isInstanceOf(IOException.class);
        assertThat(left).isEmpty();
        isBroken = false;
        services.requestVote(request);
        services.requestVote(request);
        assertThat(left).containsExactly(request, request);
        assertThat(synced).containsExactly(folder());
    }

    /** Ratis votes for itself without the lock under which it votes for others. */
    @Test
    void aMemberVotesForNobodyElseInATermInWhichItHasVoted() throws IOException {
        List<RequestVoteRequestProto> left = new ArrayList<>();
        GrpcServices services = sending(left);
        assertThat(votes(CANDIDATE, 5)).isTrue();
        file().persist(RaftStorageMetadata.valueOf(5, RaftNode.id(OWN)));
        assertThatThrownBy(() -> services.requestVote(candidacy(OWN, 5)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("it has voted for 1.0");
        assertThat(left).isEmpty();
        file().persist(RaftStorageMetadata.valueOf(6, RaftNode.id(OTHER)));
        assertThatThrownBy(() -> services.requestVote(candidacy(OWN, 6)))
                .as("the vote in the file is not its own")
                .isInstanceOf(IOException.class);
        assertThat(left).isEmpty();
    }

    @Test
    void thePromisesOfAllMembersOfAnArrayAreDurable() {
        try (RegisterCluster cluster = new RegisterCluster(directory.resolve("cluster"), properties -> {})) {
            assertThat(cluster.node(cluster.leader()).increment()).hasValue(1);
            for (int node = 0; node < RegisterCluster.NODES; node++) {
                RegisterNode any = cluster.node(node);
                await().atMost(PATIENCE).until(any::hasDurablePromises);
            }
        }
    }
}

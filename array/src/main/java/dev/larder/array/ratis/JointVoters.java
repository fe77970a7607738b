package dev.larder.array.ratis;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.stream.Stream;
import org.apache.ratis.proto.RaftProtos.RaftPeerRole;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftConfiguration;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.util.LifeCycle;

/**
 * This node's members that a joint configuration counts as voters. In Raft, a member votes by the newest configuration in its
 * log, committed or not. Ratis 3.3.0 keeps two members from voting:
 *
 * <ul>
 *   <li>A new member begins as a listener. Ratis makes it a follower only when a stable configuration arrives.
 *   <li>A member of one of the two sets starts again. Ratis lets it run only when a leader sends to it.
 * </ul>
 *
 * <p>If the leader dies meanwhile, the others may need this vote to elect another one. So this class makes such a member a
 * follower.
 *
 * <p>Ratis changes a role under the member's lock. The lock's holder may wait until {@link FormerListeners} looks. So a thread of
 * its own waits for the lock, and looks go on.
 *
 * <p>Thread-safe.
 */
final class JointVoters {

    /** The name of the threads that change a role. */
    static final String THREAD = "larder-array-voter";

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** Sets the role, and nothing else. A listener's election thread is a follower's, too. */
    private static final String SET_ROLE = "setRole";

    /** Sets the role, starts the election thread and lets the member run. Ratis calls it for a voter of both sets. */
    private static final String START_AS = "startAsPeer";

    private static final String REASON = "joint configuration";

    private final Map<UUID, RaftServer.Division> members = new ConcurrentHashMap<>();

    /** The members that a thread is changing. */
    private final Set<RaftServer.Division> changing = ConcurrentHashMap.newKeySet();

    private final Executor threads;

    JointVoters() {
        this(change -> Thread.ofPlatform().daemon().name(THREAD).start(change));
    }

    /** The same, with other threads. */
    JointVoters(Executor threads) {
        this.threads = threads;
    }

    /** Adds a member that has loaded its term and its vote. */
    void add(UUID stripe, RaftServer.Division member) {
        members.put(stripe, member);
    }

    /** Removes the member of a stripe, before it stops. */
    void remove(UUID stripe) {
        members.remove(stripe);
    }

    /** Lets each member vote that a joint configuration counts. Takes no lock of Ratis. To be called several times a second. */
    void look() {
        members.forEach((stripe, member) -> {
            if (isKeptFromVoting(member) && changing.add(member)) {
                begin(stripe, member);
            }
        });
    }

    private void begin(UUID stripe, RaftServer.Division member) {
        boolean isBegun = false;
        try {
            threads.execute(() -> change(stripe, member));
            isBegun = true;
        } finally {
            if (!isBegun) { // no thread could start: the next look tries again
                changing.remove(member);
            }
        }
    }

    /** Returns whether a member is one of the two sets' voters, and refuses every vote. */
    private static boolean isKeptFromVoting(RaftServer.Division member) {
        DivisionInfo info = member.getInfo();
        LifeCycle.State state = info.getLifeCycleState();
        boolean refuses = state == LifeCycle.State.STARTING || (state == LifeCycle.State.RUNNING && info.isListener());
        return refuses && isJointVoter(member);
    }

    private static boolean isJointVoter(RaftServer.Division member) {
        RaftConfiguration newest = member.getRaftConf();
        Collection<RaftPeer> previous = newest.getPreviousPeers();
        return !previous.isEmpty()
                && Stream.concat(newest.getCurrentPeers().stream(), previous.stream())
                        .anyMatch(voter -> voter.getId().equals(member.getId()));
    }

    private void change(UUID stripe, RaftServer.Division member) {
        try {
            synchronized (member) {
                if (isKeptFromVoting(member)) {
                    becomeFollower(member);
                    LOGGER.log(
                            System.Logger.Level.INFO,
                            member.getMemberId() + " votes from now on, by " + member.getRaftConf());
                }
            }
        } catch (ReflectiveOperationException | RuntimeException e) { // it continues as with Ratis alone
            members.remove(stripe, member);
            LOGGER.log(System.Logger.Level.WARNING, member.getMemberId() + " does not vote yet: " + e, e);
        } finally {
            changing.remove(member);
        }
    }

    /** Waits for no other thread: the one that ends a listener's elections may want the same lock. */
    private static void becomeFollower(RaftServer.Division member) throws ReflectiveOperationException {
        if (member.getInfo().isListener()) {
            method(member, SET_ROLE, RaftPeerRole.class, Object.class).invoke(member, RaftPeerRole.FOLLOWER, REASON);
        } else {
            method(member, START_AS, RaftPeerRole.class).invoke(member, RaftPeerRole.FOLLOWER);
        }
    }

    private static Method method(RaftServer.Division member, String name, Class<?>... parameters)
            throws NoSuchMethodException {
        Method method = member.getClass().getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }
}

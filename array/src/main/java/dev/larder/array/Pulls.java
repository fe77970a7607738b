package dev.larder.array;

import dev.larder.array.form.PullState;
import dev.larder.array.node.Stripes;
import dev.larder.array.pull.Patience;
import dev.larder.array.pull.Pull;
import dev.larder.array.pull.PullLimits;
import dev.larder.array.pull.PullLink;
import dev.larder.array.pull.PullProgress;
import dev.larder.array.pull.PullSource;
import dev.larder.array.pull.PullSource.Source;
import dev.larder.array.pull.PulledFolder;
import dev.larder.array.ratis.RaftLogs;
import dev.larder.array.ratis.RaftNode;
import dev.larder.array.ratis.RaftOptions;
import dev.larder.array.stripe.StripeState.Place;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;

/**
 * The pulls of stores of members that lack more entries than the other members' logs still have.
 *
 * <pre>
 * behind -> its member stops -> files are pulled, into a folder of their own -> they are the store -> it starts
 * </pre>
 *
 * A member that does not run serves no client. Thread-safe.
 */
final class Pulls implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");

    /** How many stores are pulled at once: at the lowest rate, each still asks its source several times a minute. */
    private static final int AT_ONCE = 4;

    /** How much of the disk stays free for the node's other members; less if their logs are shorter. */
    private static final long RESERVE_MOST_BYTES = 1L << 30;

    private final ArrayOptions options;
    private final Stripes stripes;
    private final PullSource source;
    private final PullLink link;
    private final PullLimits limits;

    /** The stripes that are behind, each with the entry that its files must at least cover. */
    private final Map<Integer, Long> behind = new ConcurrentHashMap<>();

    private final Map<Integer, Thread> threads = new ConcurrentHashMap<>();
    private final Map<Integer, Pull> pulls = new ConcurrentHashMap<>();

    /**
     * Creates the pulls of a node, by it and from it.
     *
     * @param sources returns the store of a member that runs here
     * @param frames sends a frame to a node
     */
    Pulls(
            ArrayOptions options,
            Stripes stripes,
            Function<UUID, Optional<Source>> sources,
            ObjIntConsumer<ByteBuffer> frames) {
        this.options = options;
        this.stripes = stripes;
        RaftOptions raft = Members.raftOptions(options);
        this.source = new PullSource(
                sources, frames, RaftLogs.TAKEN_TIMES * raft.logBytes(), RaftLogs.TAKEN_TIMES * raft.entriesMost());
        this.link = new PullLink(frames, source);
        this.limits = PullLimits.of(
                options.catchUp().pullBytesPerSecond(),
                Math.min(RESERVE_MOST_BYTES, options.catchUp().logBytes()),
                AT_ONCE);
    }

    /** Handles a frame of another node; does not wait. */
    void received(int node, ByteBuffer frame) {
        link.received(node, frame);
    }

    /** Handles a request of a program that is not a node; does not wait. */
    void asked(int program, ByteBuffer frame) {
        link.asked(program, frame);
    }

    /** Does the work that is due. To be called now and then. */
    void tick() {
        source.expire();
    }

    /** Records that a member lacks entries that no log has. Its files must be pulled, and lead at least to a given entry. */
    void behind(int stripe, long least) {
        if (behind.merge(stripe, least, Math::max) == least) {
            stripes.pulls(stripe, -1);
        }
    }

    /** Returns whether a member is behind, and its files are not here yet. */
    boolean isBehind(int stripe) {
        return behind.containsKey(stripe);
    }

    /**
     * Takes up what a killed process has left. Whole files are put in place, unless they are there already. A pull that was begun
     * continues.
     */
    void takeUp(int stripe) {
        PulledFolder folder = folder(stripe);
        if (folder.isRest()) {
            folder.install(Optional.empty()); // nothing is left to be put in place, but perhaps to be synced
        } else if (folder.isWhole() && isEnough(stripe, folder.place())) {
            install(stripe);
        } else if (folder.isWhole()) {
            folder.delete();
            behind(stripe, 0);
        } else if (folder.exists()) {
            behind(stripe, folder.place().index());
        }
    }

    /**
     * Returns whether files lead far enough for a member that does not run. If the Raft log has no large values, they lie in the
     * store that is replaced. So the files must cover all entries of the log, which may have grown meanwhile. Or the rest of the
     * log does not count, since it holds another entry in the place of the files.
     */
    private boolean isEnough(int stripe, Place files) {
        return files.index() >= behind.getOrDefault(stripe, 0L)
                && (!options.valuesOnce()
                        || RaftLogs.isCovered(Members.raftOptions(options), stripes.id(stripe), files));
    }

    private PulledFolder folder(int stripe) {
        return new PulledFolder(StoreFiles.store(options, stripe), StoreFiles.record(options, stripe));
    }

    /**
     * Pulls the files of a member that is behind and does not run. Returns whether they are in place now. To be called until it
     * returns true.
     */
    boolean isPulled(int stripe) {
        if (folder(stripe).isWhole() && !isUnderWay(stripe)) {
            install(stripe);
            return true;
        }
        if (!isUnderWay(stripe)) {
            threads.put(
                    stripe,
                    Thread.ofPlatform().daemon().name("larder-pull-" + stripe).start(() -> pull(stripe)));
        }
        return false;
    }

    private boolean isUnderWay(int stripe) {
        Thread thread = threads.get(stripe);
        return thread != null && thread.isAlive();
    }

    private void pull(int stripe) {
        Pull pull = new Pull(
                link,
                limits,
                stripes.id(stripe),
                folder(stripe),
                index -> stripes.pulls(stripe, index),
                Patience.ofNode());
        pulls.put(stripe, pull);
        try {
            pull.run(() -> stripes.sources(stripe), behind.getOrDefault(stripe, 0L), files -> isEnough(stripe, files));
        } catch (InterruptedException e) { // the node is being closed
            LOGGER.log(System.Logger.Level.DEBUG, "the pull of stripe " + stripe + " ends: " + e, e);
        } catch (RuntimeException e) { // the pull is begun again
            LOGGER.log(System.Logger.Level.ERROR, "the pull of stripe " + stripe + " has failed: " + e, e);
        }
    }

    /** Returns the pulls in progress. */
    List<PullState> states() {
        List<PullState> states = new ArrayList<>();
        pulls.forEach((stripe, pull) -> {
            if (isBehind(stripe)) {
                PullProgress now = pull.progress();
                states.add(new PullState(stripe, options.node(), now.node(), now.pulledBytes(), now.bytes()));
            }
        });
        return states;
    }

    /**
     * Puts files in place. The members that come with them were committed when the files were held, or later. If the log ends
     * with the files or before, both may lack an entry that changed the members. So the members that came with the files count. A
     * log that goes further has such entries itself, and Raft knows them.
     */
    private void install(int stripe) {
        RaftOptions raft = Members.raftOptions(options);
        UUID id = stripes.id(stripe);
        RaftNode.mayHaveNoEntries(raft, id);
        PulledFolder folder = folder(stripe);
        boolean isCovered = RaftLogs.isCovered(raft, id, folder.place());
        folder.install(isCovered ? Optional.of(RaftLogs.members(raft, id)) : Optional.empty());
        behind.remove(stripe);
        LOGGER.log(
                System.Logger.Level.INFO,
                "node " + options.node() + " has pulled the files of stripe " + stripe + " and uses them as its store");
    }

    /** Records that a member runs, and reports its needs itself. */
    void runs(int stripe) {
        stripes.pullsNoMore(stripe);
    }

    /** Deletes the pulled files of a stripe. */
    void forget(int stripe) {
        behind.remove(stripe);
        folder(stripe).delete();
        stripes.pullsNoMore(stripe);
    }

    /** Ends all pulls; they continue when the node starts again. */
    @Override
    public void close() {
        threads.values().forEach(Thread::interrupt);
        boolean interrupted = false;
        for (Thread thread : threads.values()) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        }
        source.close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}

package dev.larder.array.node;

import dev.larder.array.form.PullState;
import dev.larder.server.command.LoopDatabase;
import dev.larder.server.local.Keyspace;
import dev.larder.server.local.KeyspacePart;
import dev.larder.server.store.ChangeListener;
import dev.larder.server.store.EvictionPolicy;
import dev.larder.server.store.Store;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/** The keys of this node's members, served by a server. */
public final class ArrayKeyspace implements Keyspace {

    private final Stripes stripes;
    private final Supplier<List<PullState>> pulls;
    private volatile ChangeListener listener = (store, key, event) -> {};

    /**
     * Creates the keys of all members of this node.
     *
     * @param pulls returns the pulls of the node
     */
    public ArrayKeyspace(Stripes stripes, Supplier<List<PullState>> pulls) {
        this.stripes = stripes;
        this.pulls = pulls;
    }

    @Override
    public List<Store> opened() {
        return stripes.here().stream()
                .flatMap(stripe -> stripe.state().stores().opened().stream())
                .toList();
    }

    @Override
    public List<KeyspacePart> parts() {
        Map<Integer, PullState> pulled = new TreeMap<>();
        pulls.get().forEach(pull -> pulled.put(pull.stripe(), pull));
        SortedSet<Integer> numbers = new TreeSet<>(pulled.keySet());
        stripes.here().forEach(stripe -> numbers.add(stripe.number()));
        return numbers.stream()
                .map(number -> StripeFigures.of(stripes, number, stripes.here(number), pulled.get(number)))
                .toList();
    }

    @Override
    public void listener(ChangeListener other) {
        listener = other;
        stripes.here().forEach(this::added);
    }

    /** Registers the listener for the changes of an added member. */
    public void added(Stripe stripe) {
        stripe.state().stores().listener(listener);
    }

    @Override
    public LoopDatabase forLoop(Executor turnEnd) {
        return new ArrayDatabase(stripes, turnEnd);
    }

    @Override
    public int waiting() {
        return stripes.here().stream()
                .mapToInt(stripe -> stripe.state().shared().waiting())
                .sum();
    }

    /** Does nothing: a write is acknowledged once a majority has it durably. */
    @Override
    public void setAlways(boolean each) {}

    /** Does nothing: all mirrors trim alike, whatever their parameters are. */
    @Override
    public void setStreamNodeEntries(int count) {}

    @Override
    public void limitMemory(long mostBytes, EvictionPolicy policy) {
        if (mostBytes != 0) {
            throw new UnsupportedOperationException("a node of an array has no memory limit");
        }
    }

    /** Does nothing: the leader of a stripe triggers the removal of expired keys. */
    @Override
    public void setActiveExpiry(boolean active) {}

    @Override
    public void backup(Path to) {
        throw new UnsupportedOperationException("a node of an array has no backup of its own; use larder array backup");
    }

    /** Does nothing, for the same reason as {@link #setAlways}. */
    @Override
    public void syncSoon() {}

    /** Does nothing: the node closes its members, once Raft has stopped. */
    @Override
    public void close() {}
}

package dev.larder.server.stream;

import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A stream that a thread which may wait for the disk fills, before a command gives the stream a name. Until then no other code
 * knows it, and a crash leaves a folder without a name.
 *
 * <pre>
 * make ... make      another thread, or the command itself; each continues where the one before has ended
 * take               the command: the stream gets a name
 * close              removes what was not taken
 * </pre>
 */
@SuppressWarnings("exports") // callers do not need the nullness annotations
public abstract class UnnamedStream implements AutoCloseable {

    /** How many entries are added under the lock of the stream, so that a sync of all streams can come between. */
    protected static final int ENTRIES_AT_ONCE = 256;

    private static final long NONE = -1;

    private final Object owner;
    private final Supplier<StreamFolder> folder;
    private final Object source;
    private volatile long number = NONE;
    private volatile boolean closed;
    private volatile @Nullable Throwable error;

    /**
     * Creates a stream that does not exist yet.
     *
     * @param owner whose stream it will be
     * @param folder where it will lie
     * @param source what it is made from: another stream, or the bytes of a dump
     */
    protected UnnamedStream(Object owner, Supplier<StreamFolder> folder, Object source) {
        this.owner = owner;
        this.folder = folder;
        this.source = source;
    }

    /**
     * Returns whether this stream was made for an owner and from a source. A source is another stream, which must be the same
     * one, or a dump, which must have the same bytes.
     */
    @SuppressWarnings("ReferenceEquality") // another store of the same number is not the same
    public boolean isFor(Object otherOwner, Object otherSource) {
        return owner == otherOwner && source.equals(otherSource);
    }

    /** Makes the stream, or continues. An error is kept for {@link #requireMade}. */
    public final void make() {
        try {
            fill();
        } catch (RuntimeException | Error e) {
            error = e;
        } finally {
            if (closed) {
                remove();
            }
        }
    }

    /** Makes the stream, or continues. */
    protected abstract void fill();

    /** Throws the error of {@link #make}. */
    public final void requireMade() {
        switch (error) {
            case RuntimeException met -> throw met;
            case Error met -> throw met;
            case null, default -> {
                return;
            }
        }
    }

    /** Returns the folder of streams. */
    protected final StreamFolder folder() {
        return folder.get();
    }

    /** Returns whether the stream exists, as a whole or in part. */
    protected final boolean isBegun() {
        return number != NONE;
    }

    /** Begins with an empty stream. */
    protected final void begin() {
        remove();
        number = folder().create();
    }

    /** Returns the stream, locked for this thread until it closes it. */
    protected final Stream use() {
        return Objects.requireNonNull(folder().use(number), "a stream without a name is removed");
    }

    /** Returns the number of the stream, which now gets a name. */
    public final synchronized long take() {
        long taken = number;
        number = NONE;
        return taken;
    }

    private synchronized void remove() {
        if (number != NONE) {
            folder().remove(number);
            number = NONE;
        }
    }

    /** Removes the stream, unless it was taken. A thread that makes it may continue for a moment. */
    @Override
    public final void close() {
        closed = true;
        remove();
    }
}

package dev.larder.array.pull;

import dev.larder.array.pull.PullFrame.Operation;
import dev.larder.array.pull.PullFrame.Reason;
import dev.larder.array.stripe.HeldMoment;
import dev.larder.array.stripe.StoreStripe;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.ObjIntConsumer;
import java.util.zip.CRC32C;

/**
 * Serves the files of this node's stores to other nodes that pull them. A stripe is held for one node at a time, until that node
 * has all files, or sends no request for two minutes. Meanwhile entries are applied, and clients served.
 */
public final class PullSource implements AutoCloseable {

    private static final System.Logger LOGGER = System.getLogger("dev.larder.array");
    private static final long IDLE_NANOS = TimeUnit.MINUTES.toNanos(2);
    private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int WAITING_MOST = 1000;
    private static final int READ_MOST_BYTES = 512 << 10;

    /**
     * The place of a stripe's store.
     *
     * @param record a file beside the store
     * @param members the file in which Raft keeps the last committed members of the stripe
     * @param isReady whether the member leads, and has applied all entries of former leaders
     */
    public record Source(StoreStripe state, Path store, Path record, Path members, BooleanSupplier isReady) {}

    private static final class Holding {

        private final int node;
        private final UUID stripe;
        private final HeldMoment moment;
        private final HeldFiles files;
        private final byte[] list;
        private long usedNanos = System.nanoTime();

        private Holding(int node, UUID stripe, HeldMoment moment, HeldFiles files) {
            this.node = node;
            this.stripe = stripe;
            this.moment = moment;
            this.files = files;
            this.list = files.list();
        }

        private boolean isUsedWithin(long nanos) {
            return moment.isOpen() && System.nanoTime() - usedNanos < nanos;
        }
    }

    private final Function<UUID, Optional<Source>> sources;
    private final ObjIntConsumer<ByteBuffer> answers;
    private final long bytesMost;
    private final long entriesMost;
    private final SplittableRandom holds = new SplittableRandom();
    private final ThreadPoolExecutor thread;

    /** Used by {@link #thread} only. */
    private final Map<Long, Holding> holdings = new HashMap<>();

    /**
     * Creates the source on a node.
     *
     * @param sources returns where the store of a stripe is; empty if this node has no running member of it
     * @param answers sends a frame to a node
     * @param bytesMost how many bytes of entries may be applied while a store is held
     * @param entriesMost how many entries may be applied while a store is held
     */
    public PullSource(
            Function<UUID, Optional<Source>> sources,
            ObjIntConsumer<ByteBuffer> answers,
            long bytesMost,
            long entriesMost) {
        this.sources = sources;
        this.answers = answers;
        this.bytesMost = bytesMost;
        this.entriesMost = entriesMost;
        this.thread = new ThreadPoolExecutor(
                0,
                1,
                1,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(WAITING_MOST),
                Thread.ofPlatform().daemon().name("larder-pull-source").factory());
    }

    /** Takes a request, and answers it later. Does not wait. */
    void received(int node, PullFrame request) {
        try {
            thread.execute(() -> answer(node, request));
        } catch (RejectedExecutionException e) { // the other node asks again
            LOGGER.log(System.Logger.Level.DEBUG, "this node drops a request for files: " + e, e);
        }
    }

    /** Ends the holds for which no request has come for a while. */
    public void expire() {
        if (!thread.isShutdown() && thread.getQueue().isEmpty()) {
            thread.execute(() -> new ArrayList<>(holdings.keySet()).forEach(hold -> {
                Holding holding = holdings.get(hold);
                if (holding != null && !holding.isUsedWithin(IDLE_NANOS)) {
                    end(hold);
                }
            }));
        }
    }

    private void end(long hold) {
        Holding ended = holdings.remove(hold);
        if (ended != null) {
            ended.moment.close();
        }
    }

    private void answer(int node, PullFrame request) {
        PullFrame answer;
        try {
            answer = switch (request.operation()) {
                case BEGIN -> begin(node, request);
                case READ -> read(request);
                case END -> {
                    end(request.body().getLong());
                    yield null;
                }
                default -> null;
            };
        } catch (LarderException | IOException | IllegalStateException e) {
            LOGGER.log(System.Logger.Level.WARNING, "cannot serve files to node " + node + ": " + e, e);
            answer = refused(request, Reason.NOT_NOW, String.valueOf(e.getMessage()));
        } catch (BufferUnderflowException e) {
            answer = refused(request, Reason.NOT_NOW, "the request is cut off");
        }
        if (answer != null) {
            answers.accept(answer.encode(), node);
        }
    }

    private static PullFrame refused(PullFrame request, Reason reason, String text) {
        return new PullFrame(Operation.REFUSED, request.number(), PullFrame.refused(reason, text));
    }

    private PullFrame begin(int node, PullFrame request) {
        UUID stripe = new UUID(request.body().getLong(), request.body().getLong());
        long least = request.body().getLong();
        Optional<Source> source = sources.apply(stripe);
        if (source.isEmpty()) {
            return refused(request, Reason.NOT_NOW, "it has no running member of the stripe");
        }
        if (node < 0
                && !source.get().isReady().getAsBoolean()) { // a mirror may lack entries, and no log follows a backup
            return refused(request, Reason.NOT_NOW, "it does not lead the stripe");
        }
        for (Map.Entry<Long, Holding> other : new ArrayList<>(holdings.entrySet())) {
            Holding holding = other.getValue();
            if (holding.stripe.equals(stripe)) {
                if (holding.node != node && holding.isUsedWithin(BUSY_NANOS)) {
                    return refused(request, Reason.NOT_NOW, "it serves node " + holding.node);
                }
                end(other.getKey());
            }
        }
        return begin(node, request, stripe, source.get(), least);
    }

    private PullFrame begin(int node, PullFrame request, UUID stripe, Source source, long least) {
        HeldMoment moment = source.state().hold(bytesMost, entriesMost);
        boolean begun = false;
        try {
            long index = moment.place().index();
            if (index < least) {
                return refused(request, Reason.NOT_NOW, "it has " + index + " entries, but the request needs " + least);
            }
            Holding holding =
                    new Holding(node, stripe, moment, new HeldFiles(source.store(), source.record(), source.members()));
            long hold = holds.nextLong();
            holdings.put(hold, holding);
            begun = true;
            LOGGER.log(
                    System.Logger.Level.INFO,
                    "node " + node + " pulls stripe " + stripe + " at entry " + index + ": " + holding.files.count()
                            + " files of " + holding.files.sizeBytes() + " bytes");
            return new PullFrame(
                    Operation.BEGUN,
                    request.number(),
                    PullFrame.longs(
                            hold, index, holding.list.length, moment.place().term()));
        } finally {
            if (!begun) {
                moment.close();
            }
        }
    }

    private PullFrame read(PullFrame request) throws IOException {
        ByteBuffer body = request.body();
        Holding holding = holdings.get(body.getLong());
        int file = body.getInt();
        long offset = body.getLong();
        int length = Math.clamp(body.getInt(), 0, READ_MOST_BYTES);
        if (holding == null || !holding.moment.isOpen()) {
            return refused(request, Reason.ENDED, "the source has released the files");
        }
        if (file < PullFrame.LIST || file >= holding.files.count() || offset < 0) {
            return refused(request, Reason.ENDED, "there is no file " + file + ", or offset " + offset);
        }
        holding.usedNanos = System.nanoTime();
        try {
            ByteBuffer bytes = file == PullFrame.LIST
                    ? part(holding.list, offset, length)
                    : holding.files.read(file, offset, length);
            if (!holding.moment.isOpen()) {
                return refused(request, Reason.ENDED, "the source has released the files");
            }
            return new PullFrame(Operation.DATA, request.number(), checked(bytes));
        } catch (NoSuchFileException e) {
            boolean isSpare = file != PullFrame.LIST && holding.files.isSpare(file);
            return refused(request, isSpare ? Reason.LEFT_OUT : Reason.ENDED, e.getMessage() + " is deleted");
        }
    }

    private static ByteBuffer part(byte[] list, long offset, int length) {
        int from = (int) Math.min(offset, list.length);
        return ByteBuffer.wrap(list, from, Math.min(length, list.length - from)).slice();
    }

    private static ByteBuffer checked(ByteBuffer bytes) {
        return ByteBuffer.allocate(Integer.BYTES + bytes.remaining())
                .putInt(check(bytes))
                .put(bytes.duplicate())
                .flip();
    }

    static int check(ByteBuffer bytes) {
        CRC32C check = new CRC32C();
        check.update(bytes.duplicate());
        return (int) check.getValue();
    }

    /** Ends all holds. Requests that are being answered get their answer. */
    @Override
    public void close() {
        thread.shutdown();
        thread.close();
        new ArrayList<>(holdings.keySet()).forEach(this::end);
    }
}

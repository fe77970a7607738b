package dev.larder.array.stripe;

import dev.larder.array.entry.Entry;
import dev.larder.array.entry.EntryCall;
import dev.larder.array.entry.Operation;
import dev.larder.array.entry.Replies;
import dev.larder.array.entry.SplitEntry;
import dev.larder.log.SyncPolicy;
import dev.larder.log.layer.ClosingSteps;
import dev.larder.map.MapTime;
import dev.larder.memory.CorruptException;
import dev.larder.resp.Command;
import dev.larder.resp.CommandTable;
import dev.larder.resp.ProtocolException;
import dev.larder.resp.ReplyBuffer;
import dev.larder.resp.ReplyEncoder;
import dev.larder.resp.ReplyException;
import dev.larder.resp.Request;
import dev.larder.resp.RequestLimits;
import dev.larder.resp.RequestParser;
import dev.larder.server.command.Call;
import dev.larder.server.command.Commands;
import dev.larder.server.command.Database;
import dev.larder.server.command.Database.KeyWatch;
import dev.larder.server.command.Database.Watched;
import dev.larder.server.command.Handler;
import dev.larder.server.local.LocalDatabase;
import dev.larder.server.local.LocalStores;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyLengths;
import dev.larder.server.store.PendingStrings;
import dev.larder.server.store.Store;
import dev.larder.server.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A stripe whose state is a store. Its entries are commands of clients, which it runs in order, each at its entry's time.
 *
 * <p>Each entry takes effect once, even if the process is killed at any instruction or the system loses power. Each opening takes
 * the store back to the last moment at which it was kept, between two entries. All later entries are applied again.
 *
 * <pre>
 * kept at 7 | 8 | 9 | part of 10  killed       opened: as at 7 | 8 | 9 | 10 | 11 ...
 * </pre>
 *
 * <p>A witness keeps the log and votes. Entries change nothing in its store except the place up to which they were applied.
 */
public final class StoreStripe implements StripeState, AutoCloseable {

    private static final int DATABASE = 0;

    /** The suffix that makes the name of the record's file from the name of the store's folder. */
    public static final String RECORD = ".record";

    /** The store is kept after so many bytes of entries, or so many entries. At most so many are applied again after a crash. */
    private static final long KEPT_EACH_BYTES = 64L << 20;

    private static final int KEPT_EACH_ENTRIES = 10_000;

    /** The most bytes of replies to the reads after one operation. They wait in the heap until their client comes to them. */
    static final int READS_BYTES = 1 << 20;

    private final LocalStores stores;
    private final LocalDatabase.Shared shared;
    private final Database database;
    private final Store store;
    private final StripeClock clock;
    private final AppliedIndex appliedIndex = new AppliedIndex();
    private final Runnable roleChange;
    private final Consumer<Throwable> failure;
    private final RecordCell record;
    private final boolean isWitness;

    /** Holds the large values of entries; null if entries are whole. */
    private final @Nullable EntryValues values;

    private final RequestParser parser = new RequestParser(RequestLimits.defaults());
    private final KeyLengths keyLengths = new KeyLengths();

    private Place applied;
    private long appliedMillis;
    private volatile Place durable;
    private final long keptEachBytes;
    private long unkeptBytes;
    private volatile long appliedBytes;
    private int unkeptEntries;

    /** The moment whose files are being read: the store is kept at no later one meanwhile. Null if nothing reads files. */
    private @Nullable HeldMoment held;

    /** The lock under which entries are applied, and moments kept and held. */
    private final Object changes = new Object();

    /** Whether an entry was applied in part: the store must not be kept at this moment. */
    private boolean broken;

    private volatile boolean failed;

    private volatile Runnable roleListener = () -> {};
    private volatile BehindListener behindListener = (begun, least) -> {};

    private StoreStripe(
            LocalStores stores,
            StripeClock clock,
            RecordCell record,
            boolean hasValues,
            boolean isWitness,
            long keptEachBytes,
            Runnable roleChange,
            Consumer<Throwable> failure) {
        this.stores = stores;
        this.isWitness = isWitness;
        this.keptEachBytes = keptEachBytes;
        this.record = record;
        this.clock = clock;
        this.roleChange = roleChange;
        this.failure = failure;
        this.store = stores.store(DATABASE);
        this.shared = new LocalDatabase.Shared(stores, false);
        this.database = new LocalDatabase(shared);
        Mark mark = Mark.decode(store.kept().note());
        this.values = hasValues ? EntryValues.open(store.pending().values(), mark.floor(), store::sync) : null;
        this.applied = mark.applied();
        this.appliedMillis = mark.clockMillis();
        clock.beginEntry(mark.clockMillis());
        this.durable = mark.applied();
        appliedIndex.reached(mark.applied().index());
    }

    /**
     * Opens the stripe in a folder, and creates it if the folder has none.
     *
     * @param valuesOnce whether the Raft log has no large values: see {@link #values}
     * @param isWitness whether entries leave the store empty
     * @param keptEachBytes the store is kept after so many bytes of entries, or after fewer
     * @param system the clock for reads
     * @param roleChange runs when another member leads
     * @param failure receives the error when this member has stopped
     */
    public static StoreStripe open(
            Path directory,
            long segmentBytes,
            boolean valuesOnce,
            boolean isWitness,
            long keptEachBytes,
            InstantSource system,
            Runnable roleChange,
            Consumer<Throwable> failure) {
        StoreOptions options =
                StoreOptions.defaults().withSegmentBytes(segmentBytes).withPending(valuesOnce);
        return open(
                directory, options, isWitness, Math.min(keptEachBytes, KEPT_EACH_BYTES), system, roleChange, failure);
    }

    /** Opens a mirror with whole entries, kept after 64 MiB of them. */
    public static StoreStripe open(
            Path directory, long segmentBytes, InstantSource system, Runnable roleChange, Consumer<Throwable> failure) {
        return open(directory, segmentBytes, false, false, KEPT_EACH_BYTES, system, roleChange, failure);
    }

    /**
     * Prepares the store of a folder for a new array. Its entries keep their numbers, so a member that comes later pulls files.
     * They get the first term, so all entries of the new array come later. Ratis takes a member of term 0 for one without
     * entries, and does not count its vote.
     *
     * @return the last entry whose effects the store has
     */
    public static Place beginAnew(Path directory, long segmentBytes, boolean valuesOnce) {
        try (StoreStripe stripe = open(
                directory,
                segmentBytes,
                valuesOnce,
                false,
                KEPT_EACH_BYTES,
                InstantSource.system(),
                () -> {},
                cause -> {})) {
            stripe.values().ifPresent(EntryValues::settle); // entries of the new array may have the same places
            stripe.store.kept().giveUpRepeated();
            stripe.forgetTerm();
            return stripe.durable();
        }
    }

    private void forgetTerm() {
        synchronized (changes) {
            applied = new Place(1, applied.index());
            store.kept().keep(mark());
            durable = applied;
        }
    }

    /** Opens a mirror on a store with other options. */
    static StoreStripe open(
            Path directory,
            StoreOptions store,
            InstantSource system,
            Runnable roleChange,
            Consumer<Throwable> failure) {
        return open(directory, store, false, KEPT_EACH_BYTES, system, roleChange, failure);
    }

    private static StoreStripe open(
            Path directory,
            StoreOptions store,
            boolean isWitness,
            long keptEachBytes,
            InstantSource system,
            Runnable roleChange,
            Consumer<Throwable> failure) {
        StripeClock clock = new StripeClock(system);
        StoreOptions options = store.withSync(SyncPolicy.none())
                .withTime(MapTime.of(clock).withAlive(clock::foundAlive))
                .withKept(true);
        RecordCell record = new RecordCell(directory.resolveSibling(directory.getFileName() + RECORD));
        LocalStores stores = LocalStores.open(directory, DATABASE + 1, options);
        try {
            return new StoreStripe(
                    stores, clock, record, store.pending(), isWitness, keptEachBytes, roleChange, failure);
        } catch (RuntimeException | Error e) {
            stores.close();
            throw e;
        }
    }

    /** Returns the stores, for a server to read. */
    public LocalStores stores() {
        return stores;
    }

    /** Returns the access to the stores, for a server's reads. */
    public LocalDatabase.Shared shared() {
        return shared;
    }

    /** Returns the stripe's time. */
    public StripeClock clock() {
        return clock;
    }

    /** Returns the index up to which the log is applied. */
    public AppliedIndex appliedIndex() {
        return appliedIndex;
    }

    @Override
    public ByteBuffer apply(Place place, ByteBuffer bytes, EntryReads reads) {
        synchronized (changes) {
            return applyAlone(place, bytes, reads);
        }
    }

    private ByteBuffer applyAlone(Place place, ByteBuffer bytes, EntryReads reads) {
        if (place.index() <= applied.index()) {
            return new Replies(List.of()).encode(); // its effects have survived
        }
        requireWhole();
        if (RecordCell.isEntry(bytes)) {
            record.apply(place.index(), bytes);
            applied = place;
            return new Replies(List.of()).encode();
        }
        long size = bytes.remaining();
        Replies replies = isWitness ? new Replies(List.of()) : change(bytes, reads);
        applied = place;
        unkeptBytes += size;
        long sum = appliedBytes + size; // written by one thread
        appliedBytes = sum;
        unkeptEntries++;
        if (unkeptBytes >= keptEachBytes || unkeptEntries >= KEPT_EACH_ENTRIES) {
            sync();
        }
        return replies.encode();
    }

    private Replies change(ByteBuffer bytes, EntryReads reads) {
        Entry entry = Entry.decode(bytes);
        clock.beginEntry(entry.clockMillis());
        broken = true;
        Replies replies;
        try {
            replies = run(entry, reads);
        } catch (RuntimeException | Error e) {
            failed = true; // at once: readers look at it after they have read
            throw e;
        }
        broken = false;
        appliedMillis = Math.max(appliedMillis, entry.clockMillis()); // as the clock: the next opening continues there
        return replies;
    }

    /** Returns whether entries leave the store empty. */
    public boolean isWitness() {
        return isWitness;
    }

    /**
     * Makes a witness continue after an entry; the entries before are durable on other members. The witness does not run.
     *
     * @param place an entry that is committed
     */
    public void skipTo(Place place) {
        synchronized (changes) {
            if (isWitness && place.index() > applied.index()) {
                applied = place;
                store.kept().keep(mark());
                durable = place;
                appliedIndex.reached(place.index());
            }
        }
    }

    @Override
    public ByteBuffer apply(Place place, ByteBuffer log, ByteBuffer bytes, EntryReads reads) {
        synchronized (changes) {
            EntryValues own = Objects.requireNonNull(values, "the entries of this stripe are whole");
            SplitEntry entry = SplitEntry.of(log);
            ByteBuffer whole = entry.join(bytes);
            if (place.index() <= applied.index()) {
                return applyAlone(place, whole, reads);
            }
            PendingStrings strings = store.pending();
            strings.begin(own.require(place), parts(entry, whole));
            try {
                return applyAlone(place, whole, reads);
            } finally {
                strings.end();
            }
        }
    }

    private static List<PendingStrings.Part> parts(SplitEntry entry, ByteBuffer whole) {
        int from = whole.arrayOffset();
        return entry.cuts().stream()
                .map(cut -> new PendingStrings.Part(
                        Bytes.of(whole.array(), from + cut.keyOffset(), cut.keyLength()),
                        Bytes.of(whole.array(), from + cut.offset(), cut.length())))
                .toList();
    }

    @Override
    public Optional<EntryValues> values() {
        return Optional.ofNullable(values);
    }

    private byte[] mark() {
        return new Mark(applied, appliedMillis, values == null ? 0 : values.floor()).encode();
    }

    private void requireWhole() {
        if (broken) {
            throw new IllegalStateException("cannot apply an entry after one that was applied in part");
        }
    }

    /**
     * Returns the entry that replaces the text which a stripe keeps beside its keys.
     *
     * @param replaced the version that is replaced, 0 for the first: if the text has another version, the entry changes nothing
     */
    public static ByteBuffer recordEntry(long replaced, String text) {
        return RecordCell.entry(replaced, text);
    }

    /**
     * Sets the listener for that text. It is called now, and whenever an entry has replaced the text. Set it before entries are
     * applied.
     */
    public void onRecord(Consumer<String> listener) {
        record.listen(listener);
    }

    @Override
    public void reached(long index) {
        appliedIndex.reached(index);
    }

    /** Returns how many bytes of entries this process has applied. */
    public long appliedBytes() {
        return appliedBytes;
    }

    @Override
    public Place durable() {
        return durable;
    }

    @Override
    public void sync() {
        synchronized (changes) {
            if (!isHeld() && !broken && !applied.equals(durable)) {
                Place now = applied;
                store.kept().keep(mark());
                unkeptBytes = 0;
                unkeptEntries = 0;
                durable = now;
            }
        }
    }

    private boolean isHeld() {
        HeldMoment now = held;
        if (now != null && (!now.isOpen() || !now.allows(unkeptBytes, unkeptEntries))) {
            now.close();
            held = null;
        }
        return held != null;
    }

    /**
     * Keeps the store at this moment, and at no later one until the result is closed. Meanwhile files may be added and grow, but
     * no file that the moment needs is deleted. One moment is held at a time; the one before is closed.
     *
     * @param bytesMost the hold ends by itself after so many bytes of entries
     * @param entriesMost the hold ends by itself after so many entries: their places stay on the heap meanwhile
     */
    public HeldMoment hold(long bytesMost, long entriesMost) {
        HeldMoment begun = beginHold(bytesMost, entriesMost);
        stores.awaitDeletions();
        return begun;
    }

    private HeldMoment beginHold(long bytesMost, long entriesMost) {
        synchronized (changes) {
            HeldMoment before = held;
            if (before != null) {
                before.close();
            }
            sync();
            HeldMoment now = new HeldMoment(durable, bytesMost, entriesMost);
            held = now;
            return now;
        }
    }

    @Override
    public void roleChanged() {
        roleChange.run();
        roleListener.run();
    }

    /** Sets a second listener for changes of the role. */
    public void onRoleChange(Runnable listener) {
        roleListener = listener;
    }

    @Override
    public void behind(LogBeginning begun, long least) {
        behindListener.behind(begun, Math.max(least, durable.index()));
    }

    /** Sets the listener for the case that this member lacks entries which its leader no longer has. */
    public void onBehind(BehindListener listener) {
        behindListener = listener;
    }

    /** Returns whether the member has stopped by itself. Its store may have a part of an entry: clients must not read it. */
    public boolean hasFailed() {
        return failed;
    }

    @Override
    public void failed(Throwable cause) {
        failed = true;
        appliedIndex.end(); // first: no reader may see what was applied in part
        failure.accept(cause);
    }

    private Request parse(EntryCall call) {
        Request request = new Request();
        try {
            if (parser.parse(ByteBuffer.wrap(call.request()), request)) {
                return request;
            }
        } catch (ProtocolException e) {
            throw new CorruptException("a command of an entry is not a request: " + e.reply());
        }
        throw new CorruptException("a command of an entry is cut off");
    }

    private static Command command(Request request) {
        CommandTable table = CommandTable.standard();
        Command command = table.find(request);
        if (command != null && !command.subcommands().isEmpty()) {
            command = table.findSubcommand(command, request);
        }
        if (command == null) {
            throw new CorruptException(
                    "an entry has the command '" + request.text(0) + "', which this node does not know");
        }
        return command;
    }

    private Replies run(Entry entry, EntryReads reads) {
        List<Optional<List<byte[]>>> replies = new ArrayList<>();
        ReplyRoom room = new ReplyRoom();
        for (Operation operation : entry.operations()) {
            int number = replies.size();
            room.beginOperation();
            replies.add(
                    operation.isTransaction()
                            ? transact(operation, room)
                            : Optional.of(List.of(call(operation.calls().getFirst(), database::run, room))));
            int[] left = {READS_BYTES};
            reads.run(number, call -> read(call, left));
        }
        return new Replies(replies);
    }

    private Optional<List<byte[]>> transact(Operation operation, ReplyRoom room) {
        List<Call> calls = operation.calls().stream()
                .map(call -> toCall(parse(call), new ReplyEncoder(new ReplyBuffer())))
                .toList();
        List<Watched> watched = operation.watched().stream()
                .map(key -> new Watched(DATABASE, Bytes.of(key.key()), key.state(), KeyWatch.NONE))
                .toList();
        List<byte[]> replies = new ArrayList<>();
        boolean[] begun = {false};
        database.transact(calls, watched, call -> true, new ReplyEncoder(new ReplyBuffer()), () -> {
            begun[0] = true;
            for (EntryCall call : operation.calls()) {
                replies.add(call(call, database::runWithin, room));
            }
        });
        return begun[0] ? Optional.of(replies) : Optional.empty();
    }

    private byte[] call(EntryCall call, Consumer<Call> run, ReplyRoom room) {
        ReplyBuffer buffer = room.begin();
        call(call, run, buffer);
        return room.end(buffer);
    }

    /** Returns the reply; null if it exceeds the bytes that are left. */
    private byte @Nullable [] read(EntryCall call, int[] left) {
        ReplyBuffer buffer = new ReplyBuffer(left[0]);
        call(call, database::run, buffer);
        if (buffer.isCut()) {
            return null;
        }
        byte[] reply = buffer.toByteArray();
        left[0] -= reply.length;
        return reply;
    }

    private void call(EntryCall call, Consumer<Call> run, ReplyBuffer buffer) {
        ReplyEncoder reply = new ReplyEncoder(buffer);
        reply.setVersion(call.replyVersion());
        Call parsed = toCall(parse(call), reply);
        try {
            keyLengths.require(parsed.command(), parsed.request()); // a node of an earlier release may have accepted it
            run.accept(parsed);
        } catch (ReplyException e) {
            reply.error(e.line());
        }
    }

    private static Call toCall(Request request, ReplyEncoder reply) {
        Command command = command(request);
        Handler handler = Commands.handler(command);
        if (handler == null) {
            throw new CorruptException("an entry has the command '" + command.name()
                    + "', which names no keys, or which this node does not know");
        }
        return new Call(command, handler, request, DATABASE, reply);
    }

    private void endHold() {
        synchronized (changes) {
            HeldMoment now = held;
            if (now != null) {
                now.close();
            }
        }
    }

    @Override
    public void close() {
        ClosingSteps steps = new ClosingSteps();
        steps.take("applied index", appliedIndex::end);
        steps.take("hold", this::endHold);
        steps.take("shared", shared::close);
        steps.take("stores", stores::close);
        steps.end();
    }
}

package dev.larder.lab.database;

import dev.larder.cli.Figures;
import dev.larder.lab.machine.ProcessMeter;
import dev.larder.lab.process.ChildLoop;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.RecordScan;
import dev.larder.lab.run.Records;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.SplittableRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The child process that runs and times one store. A rival's child differs only in its store.
 *
 * <p>Commands, in this order: {@code create} (with the whole plan of a round), {@code insert}, {@code scan},
 * {@code index}, {@code query}, {@code mix} for each share of replacements, {@code look}, {@code close}; {@code generate} at any time
 * after {@code create}. Each answers with its figures.
 */
public final class StoreChild {

    private static final int BLOCK_BYTES = 1 << 20;

    private final Function<Figures, RecordStore> stores;
    private Figures plan = new Figures();
    private @Nullable Records records;
    private @Nullable RecordStore store;
    private static final int CHECKED_MAX = 20_000;

    private BitSet replaced = new BitSet();

    StoreChild(Function<Figures, RecordStore> stores) {
        this.stores = stores;
    }

    /** Runs the child of a Larder store or plain file. */
    public static void main(String[] arguments) throws IOException {
        serve(StoreChild::ours);
    }

    private static RecordStore ours(Figures plan) {
        return switch (plan.text("store")) {
            case "file" -> new PlainFileStore(durability(plan), plan.whole("records") * plan.whole("record_bytes"));
            case "larder-map" -> new LarderMapStore(durability(plan));
            default -> new LarderStore(durability(plan));
        };
    }

    /** Returns the durability of a plan. */
    public static Durability durability(Figures plan) {
        return Durability.named(plan.text("durability"));
    }

    /** Serves the parent's questions; {@code stores} makes a store from a plan. */
    public static void serve(Function<Figures, RecordStore> stores) throws IOException {
        StoreChild child = new StoreChild(stores);
        new ChildLoop()
                .on("create", child::create)
                .on("insert", question -> child.insert())
                .on("scan", question -> child.scan())
                .on("index", question -> child.index())
                .on("query", question -> child.query())
                .on("look", question -> child.look())
                .on("mix", child::mix)
                .on("close", question -> child.close())
                .on("generate", question -> child.generate())
                .serve();
    }

    Figures create(Figures question) throws Exception {
        plan = question;
        records = new Records((int) plan.whole("record_bytes"), plan.whole("seed"), (int) plan.whole("round"));
        replaced = new BitSet();
        RecordStore created = stores.apply(plan);
        store = created;
        return created.create(Path.of(plan.text("directory")));
    }

    /** Returns {@code insert_ms}, its last {@code sync_ms}, {@code insert_cpu_ms}, {@code bytes_on_disk}. */
    Figures insert() throws Exception {
        ProcessMeter meter = ProcessMeter.start();
        double inserted = milliseconds(this::insertAll);
        double synced = milliseconds(() -> store().finish());
        Figures figures = new Figures()
                .put("insert_ms", inserted + synced)
                .put("sync_ms", synced)
                .put("insert_cpu_ms", meter.cpuMillis());
        return figures.put("bytes_on_disk", store().bytesOnDisk());
    }

    private void insertAll() throws Exception {
        long count = plan.whole("records");
        long commitEvery = plan.whole("commit_every");
        for (long first = 0; first < count; first += commitEvery) {
            store().insert(records(), first, Math.min(commitEvery, count - first));
            store().commit();
        }
    }

    /** {@code scan_ms}, {@code scan_cpu_ms}. */
    Figures scan() throws Exception {
        ProcessMeter meter = ProcessMeter.start();
        RecordScan scan = new RecordScan(records(), plan.whole("records"));
        double scanned = milliseconds(() -> store().scan(scan));
        scan.finish();
        return new Figures().put("scan_ms", scanned).put("scan_cpu_ms", meter.cpuMillis());
    }

    /** {@code index_ms}: the reader's own table, if the store has no index. */
    Figures index() throws Exception {
        return new Figures().put("index_ms", milliseconds(() -> store().index(records(), plan.whole("records"))));
    }

    /** {@code query_ms} of all queries, one after another. */
    Figures query() throws Exception {
        long[] ids = new SplittableRandom(plan.whole("seed") + 1)
                .longs(plan.whole("queries"), 0, plan.whole("records"))
                .toArray();
        return new Figures().put("query_ms", milliseconds(() -> store().query(records(), ids)));
    }

    /** {@code mix_10_ms} of as many operations as there are queries, 10 percent of which replace a record. */
    Figures mix(Figures question) throws Exception {
        int percent = Math.toIntExact(question.whole("writes_percent"));
        MixedWork work = new MixedWork(plan, percent, plan.whole("records"), records(), replaced);
        boolean[] done = new boolean[1];
        double mixed = milliseconds(() -> done[0] = store().mix(work));
        return new Figures().put("mix_" + percent + "_ms", done[0] ? mixed : null);
    }

    /** Checks every byte of up to 20,000 replaced records: nothing acknowledged may be missing. */
    Figures look() throws Exception {
        long[] ids = replaced.stream().limit(CHECKED_MAX).asLongStream().toArray();
        Records replacing = MixedWork.replacing(plan, records());
        milliseconds(() -> store().query(replacing, ids));
        return new Figures();
    }

    Figures close() throws Exception {
        milliseconds(() -> store().close());
        store = null;
        return new Figures();
    }

    /**
     * The cost of the records alone. For {@code generator_ms} they are copied into present memory, as for Larder. For
     * {@code array_generator_ms} they are separate arrays, as for JDBC.
     */
    Figures generate() throws Exception {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(BLOCK_BYTES, 4096);
            copyAll(block); // so that the loops are compiled
            makeArrays(block);
            return new Figures()
                    .put("generator_ms", milliseconds(() -> copyAll(block)))
                    .put("array_generator_ms", milliseconds(() -> makeArrays(block)));
        }
    }

    private void copyAll(MemorySegment block) {
        int length = records().recordBytes();
        long at = 0;
        for (long id = 0; id < plan.whole("records"); id++) {
            at = at + length > BLOCK_BYTES ? 0 : at;
            MemorySegment.copy(records().segment(), records().make(id), block, at, length);
            at += length;
        }
    }

    private void makeArrays(MemorySegment block) {
        long lengths = 0;
        for (long id = 0; id < plan.whole("records"); id++) {
            lengths += records().array(id).length;
        }
        block.set(ValueLayout.JAVA_LONG, 0, lengths);
    }

    private Records records() {
        return Require.open(records);
    }

    private RecordStore store() {
        return Require.open(store);
    }

    private interface Step {
        void run() throws Exception;
    }

    private static double milliseconds(Step step) throws Exception {
        long start = System.nanoTime();
        step.run();
        return (System.nanoTime() - start) / 1e6;
    }
}

package dev.larder.lab.database;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.machine.Machine;
import dev.larder.lab.result.Require;
import dev.larder.lab.study.Setting;
import dev.larder.lab.study.Settings;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The options of the database experiment. */
public record DatabaseOptions(
        Inserts inserts,

        @Setting("--durability NAME=commit,end commit: each commit is durable when it returns; end: one"
                + " sync at the end makes all durable")
        List<Durability> durabilities,

        Queries queries,

        @Setting("--rounds COUNT=3|1 [1..99] Rounds, in which the stores take turns")
        int rounds,

        @Setting("--stores NAME The stores to measure: larder, larder-map, file (the machine's own"
                + " limit), sqlite, h2, postgres (all that are there)")
        List<String> stores,

        @Setting("--postgres NAME Measure PostgreSQL too: start starts a private server from the"
                + " programs of this machine; a JDBC URL uses a running one (none)")
        @Nullable
        String postgres,

        @Setting("--directory DIRECTORY Where to put the data (the result folder)") @Nullable
        Path directory,

        @Setting("--seed SEED=1 The seed of all random choices")
        long seed,

        @Setting("--keep Keep the data") boolean keep) {

    /** The word that asks for a private PostgreSQL server. */
    static final String START = "start";

    private static final String URL_START = "jdbc:postgresql:";
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final long RECORD_HEADER_BYTES = 8;

    /** Checks the ranges; an error names the option, the value and the range, as in the parts. */
    public DatabaseOptions {
        Require.that(!durabilities.isEmpty(), "--durability is empty");
        for (String store : stores) {
            Require.that(StoreKind.STORES.contains(store), "--stores " + store + " is not known " + StoreKind.STORES);
        }
        Require.that(
                stores.isEmpty() || stores.contains(StoreKind.LARDER),
                "--stores " + stores + " leaves out larder, the baseline of the comparison");
        Require.that(
                postgres == null || postgres.equals(START) || postgres.startsWith(URL_START),
                "--postgres '" + postgres + "' is neither " + START + " nor a URL such as " + URL_START
                        + "//localhost/test?user=me");
    }

    /** The inserts into each store. */
    public record Inserts(
            @Setting("--records COUNT=1M|50k [100..100M] Records to insert into each store")
            long records,

            @Setting("--record SIZE=1KiB [16B..64KiB x 8B] The size of a record")
            int recordBytes,

            @Setting("--commit-every COUNT=10k [1..] Records per commit")
            long commitEvery,

            @Setting("--warm-up COUNT=50k|20k [0..] Records of a small store that each child process"
                    + " first fills, reads and deletes; at most --records")
            long warmUpRecords) {

        /** Checks the ranges. */
        public Inserts {
            warmUpRecords = Math.min(warmUpRecords, records);
        }
    }

    /** The queries after them, in random order. */
    public record Queries(
            @Setting("--queries COUNT=100k|10k [0..10M] Random queries by number")
            long queries,

            @Setting("--writes PERCENT=0,10,50,100 [0..100] {--quick:} The percentage of operations that"
                    + " replace a record, each measured separately; there are as many operations as queries"
                    + " (0,10,50,100; --quick: none)")
            List<Integer> writesPercent) {}

    /** Returns the bytes of the records, as messages of a queue. */
    long queueBytes() {
        return inserts.records() * (inserts.recordBytes() + RECORD_HEADER_BYTES);
    }

    /** Returns the heap of a child whose store keeps only a table of positions there. */
    long smallHeapBytes() {
        return heapBytes(64 * MIB + 2 * Long.BYTES * inserts.records());
    }

    /** Returns the heap of a child with a native store or a server. */
    long clientHeapBytes() {
        return heapBytes(256 * MIB);
    }

    /** Returns the heap of a child whose store caches there: twice the records, if the machine has it. */
    long cachingHeapBytes() {
        long wanted = Math.clamp(2 * queueBytes(), 512 * MIB, 8 * GIB);
        return heapBytes(Math.min(wanted, Math.max(512 * MIB, Machine.memoryBytes() / 4)));
    }

    /** Adds room for the queried numbers. */
    private long heapBytes(long store) {
        return (store + 2 * Long.BYTES * queries.queries()) / MIB * MIB;
    }

    /** Returns the options for a result, without the secret parts of a URL. */
    Figures figures() {
        return Settings.figures(this).put("postgres", postgres == null ? null : withoutSecrets(postgres));
    }

    private static String withoutSecrets(String url) {
        return url.replaceAll("\\?.*", "").replaceAll("//[^/@]*@", "//");
    }

    /** Returns the bytes of the records, for people. */
    String size() {
        return ByteSize.format(inserts.records() * inserts.recordBytes());
    }
}

package dev.larder.lab.database;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.load.GrowingKeys;
import dev.larder.lab.load.WriteShares;
import dev.larder.lab.machine.Machine;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a run of the database experiment is to do.
 *
 * @param inserts into each store
 * @param durabilities each measured on its own
 * @param queries after the scan
 * @param rounds of all stores, one after another
 * @param stores that take part, out of larder, larder-map, file, sqlite, h2, postgres; empty for all that can
 * @param postgres the JDBC URL of a server, {@code start} for a private one, or null for none
 * @param directory that the data goes to; null for the result folder
 * @param seed of the records and of the queries
 * @param keep whether the data of the last round stays
 */
public record DatabaseOptions(
        Inserts inserts,
        List<Durability> durabilities,
        Queries queries,
        int rounds,
        List<String> stores,
        @Nullable String postgres,
        @Nullable Path directory,
        long seed,
        boolean keep) {

    /** The word that asks for a private PostgreSQL server. */
    static final String START = "start";

    private static final String URL_START = "jdbc:postgresql:";
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;
    private static final double PERCENT = 100;
    private static final long RECORD_HEADER_BYTES = 8;

    /** Checks the ranges; the text names the option, the value and the range, as those of the parts do. */
    public DatabaseOptions {
        durabilities = List.copyOf(durabilities);
        stores = List.copyOf(stores);
        check(!durabilities.isEmpty(), "--durability names none");
        check(rounds >= 1 && rounds <= 99, "--rounds " + rounds + " is not from 1 to 99");
        for (String store : stores) {
            check(StoreKind.STORES.contains(store), "--stores " + store + " is not known " + StoreKind.STORES);
        }
        check(
                stores.isEmpty() || stores.contains(StoreKind.LARDER),
                "--stores " + stores + " leaves out larder, which the others are compared with");
        check(
                postgres == null || postgres.equals(START) || postgres.startsWith(URL_START),
                "--postgres '" + postgres + "' is neither " + START + " nor a URL such as " + URL_START
                        + "//localhost/test?user=me");
    }

    /**
     * What comes into each store.
     *
     * @param records 100 to 100 million
     * @param recordBytes of each, a multiple of 8 from 16 B to 64 KiB
     * @param commitEvery so many records
     * @param warmUpRecords inserted, read and deleted first by each child
     */
    public record Inserts(long records, int recordBytes, long commitEvery, long warmUpRecords) {

        /** Checks the ranges. */
        public Inserts {
            check(records >= 100 && records <= 100_000_000, "--records " + records + " is not from 100 to 100M");
            check(
                    recordBytes >= 16 && recordBytes <= 64 << 10 && recordBytes % 8 == 0,
                    "--record " + recordBytes + " is not a multiple of 8 from 16 B to 64 KiB");
            check(commitEvery >= 1, "--commit-every " + commitEvery + " is not positive");
            check(
                    warmUpRecords >= 0 && warmUpRecords <= records,
                    "--warm-up " + warmUpRecords + " is not from 0 to the " + records + " records");
        }
    }

    /**
     * What is asked of it then, in random order.
     *
     * @param count by number
     * @param writesPercent replacements among as many queries more, each share measured on its own; none for no such work
     * @param newKeysPercent of what is written there: records that are not there yet; 0 for replacements alone
     */
    public record Queries(long count, List<Integer> writesPercent, int newKeysPercent) {

        /** Checks the ranges. */
        public Queries {
            writesPercent = List.copyOf(writesPercent);
            check(count >= 0 && count <= 10_000_000, "--queries " + count + " is not from 0 to 10M");
            WriteShares.check(writesPercent, newKeysPercent);
        }

        /** Returns how many records may come after all were inserted: what is written is drawn. */
        long newRecords() {
            double writes = writesPercent.stream().mapToInt(Integer::intValue).sum() / PERCENT;
            return GrowingKeys.mostOf(count * writes * newKeysPercent / PERCENT);
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException(message);
        }
    }

    private long mostRecords() {
        return inserts.records() + queries.newRecords();
    }

    /** Returns the bytes of the records, with all that may come, as messages of a queue. */
    long queueBytes() {
        return mostRecords() * (inserts.recordBytes() + RECORD_HEADER_BYTES);
    }

    /** Returns the heap of a child whose store keeps no more than a table of positions there. */
    long smallHeapBytes() {
        return heapBytes(64 * MIB + 2 * Long.BYTES * mostRecords());
    }

    /** Returns the heap of a child whose store is native or a server. */
    long clientHeapBytes() {
        return heapBytes(256 * MIB);
    }

    /** Returns the heap of a child whose store keeps its cache there: twice the records, where the machine has it. */
    long cachingHeapBytes() {
        long wanted = Math.clamp(2 * queueBytes(), 512 * MIB, 8 * GIB);
        return heapBytes(Math.min(wanted, Math.max(512 * MIB, Machine.memoryBytes() / 4)));
    }

    /** With room for the numbers that are queried. */
    private long heapBytes(long store) {
        return (store + 2 * Long.BYTES * queries.count()) / MIB * MIB;
    }

    /** Returns the options for a result; of a URL, what is not secret. */
    Figures figures() {
        return new Figures()
                .put("records", inserts.records())
                .put("record_bytes", inserts.recordBytes())
                .put("commit_every", inserts.commitEvery())
                .put("durabilities", durabilities)
                .put("queries", queries.count())
                .put("writes_percent", queries.writesPercent())
                .put("new_keys_percent", queries.newKeysPercent())
                .put("rounds", rounds)
                .put("warm_up_records", inserts.warmUpRecords())
                .put("stores", stores.isEmpty() ? "all that can" : String.join(",", stores))
                .put("postgres", postgres == null ? null : withoutSecrets(postgres))
                .put("keep", keep);
    }

    private static String withoutSecrets(String url) {
        return url.replaceAll("\\?.*", "").replaceAll("//[^/@]*@", "//");
    }

    /** Returns the bytes of the records, for people. */
    String size() {
        return ByteSize.format(inserts.records() * inserts.recordBytes());
    }
}

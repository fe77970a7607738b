package dev.larder.server.stream;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The messages of a stream's queue that are deleted, or never were entries: a bit for each sequence, in chunks. A chunk is a
 * record of the store. Chunks that have a bit are kept in memory too.
 */
final class DeletedEntries {

    private static final int CHUNK_SHIFT = 10;
    private static final int WORD_SHIFT = 6;
    private static final int WORDS = 1 << (CHUNK_SHIFT - WORD_SHIFT);
    private static final long CHUNK_MASK = (1L << CHUNK_SHIFT) - 1;

    private final StreamRecords records;
    private final long stream;
    private final TreeMap<Long, long[]> chunks = new TreeMap<>();

    DeletedEntries(StreamRecords records, long stream) {
        this.records = records;
        this.stream = stream;
    }

    /** Loads a chunk from its record. */
    void load(long chunk, byte[] record) {
        long[] words = new long[WORDS];
        ByteBuffer.wrap(record).asLongBuffer().get(words);
        chunks.put(chunk, words);
    }

    boolean isDeleted(long sequence) {
        return isDeleted(chunks, sequence);
    }

    /** Returns whether chunks of bits mark a sequence as deleted. */
    static boolean isDeleted(Map<Long, long[]> chunks, long sequence) {
        long[] words = chunks.get(sequence >> CHUNK_SHIFT);
        return words != null && (words[word(sequence)] >>> sequence & 1) != 0;
    }

    private static int word(long sequence) {
        return (int) ((sequence & CHUNK_MASK) >> WORD_SHIFT);
    }

    /** Deletes a message, in the store too. An error leaves it as it was. */
    void delete(long sequence) {
        delete(sequence, sequence + 1);
    }

    /** Deletes the messages from a sequence up to another, exclusive. */
    void delete(long from, long to) {
        long at = from;
        while (at < to) {
            long chunk = at >> CHUNK_SHIFT;
            long[] words = copy(chunk);
            for (long end = Math.min(to, (chunk + 1) << CHUNK_SHIFT); at < end; at++) {
                words[word(at)] |= 1L << at;
            }
            save(chunk, words);
        }
    }

    /**
     * Deletes messages, in the store too, with one record for each chunk.
     *
     * @param each called with each message, once its record is written
     */
    void delete(NavigableSet<Long> sequences, LongConsumer each) {
        for (NavigableSet<Long> left = sequences; !left.isEmpty(); ) {
            long chunk = left.first() >> CHUNK_SHIFT;
            NavigableSet<Long> ofChunk = left.headSet((chunk + 1) << CHUNK_SHIFT, false);
            long[] words = copy(chunk);
            ofChunk.forEach(at -> words[word(at)] |= 1L << at);
            save(chunk, words);
            ofChunk.forEach(each::accept);
            left = left.tailSet((chunk + 1) << CHUNK_SHIFT, true);
        }
    }

    private long[] copy(long chunk) {
        long[] words = chunks.get(chunk);
        return words == null ? new long[WORDS] : words.clone();
    }

    /** Takes a changed copy of a chunk, once its record is written: on a full disk the chunk stays as it was. */
    private void save(long chunk, long[] words) {
        ByteBuffer record = ByteBuffer.allocate(WORDS * Long.BYTES);
        record.asLongBuffer().put(words);
        records.put(chunkKey(chunk), record.array());
        chunks.put(chunk, words);
    }

    private byte[] chunkKey(long chunk) {
        return StreamRecords.key(stream, StreamRecords.DELETED, chunk);
    }

    /** Returns the key of the record that has the bit of a sequence. */
    byte[] key(long sequence) {
        return chunkKey(sequence >> CHUNK_SHIFT);
    }

    /** Passes on the keys of the records up to the first sequence at or after a given one that is not deleted. */
    void forEachKey(long sequence, Consumer<byte[]> handler) {
        chunks.headMap(nextLive(sequence) >> CHUNK_SHIFT, true)
                .keySet()
                .forEach(chunk -> handler.accept(chunkKey(chunk)));
    }

    /** Returns the first sequence at or after a given one that is not deleted. */
    long nextLive(long sequence) {
        long at = sequence;
        while (isDeleted(at)) {
            long[] words = chunks.get(at >> CHUNK_SHIFT);
            long live = words == null ? -1L : ~words[word(at)] >>> at;
            at = live == 0 ? (at | 63) + 1 : at + Long.numberOfTrailingZeros(live);
        }
        return at;
    }

    /** Returns the last sequence at or before a given one that is not deleted; -1 if there is none. */
    long previousLive(long sequence) {
        long at = sequence;
        while (at >= 0 && isDeleted(at)) {
            long[] words = chunks.get(at >> CHUNK_SHIFT);
            long live = words == null ? -1L : ~words[word(at)] << (63 - at);
            at = live == 0 ? (at & ~63L) - 1 : at - Long.numberOfLeadingZeros(live);
        }
        return at;
    }

    /** Returns how many sequences are deleted from one up to another, exclusive. */
    long count(long from, long to) {
        if (from >= to || chunks.isEmpty()) {
            return 0;
        }
        long count = 0;
        Map<Long, long[]> touched = chunks.subMap(from >> CHUNK_SHIFT, true, (to - 1) >> CHUNK_SHIFT, true);
        for (Map.Entry<Long, long[]> chunk : touched.entrySet()) {
            count += count(chunk.getKey() << CHUNK_SHIFT, chunk.getValue(), from, to);
        }
        return count;
    }

    private static long count(long base, long[] words, long from, long to) {
        long count = 0;
        for (int i = 0; i < WORDS; i++) {
            long begin = base + ((long) i << WORD_SHIFT);
            if (begin + Long.SIZE > from && begin < to) {
                long bits = words[i];
                bits &= from > begin ? -1L << (from - begin) : -1L;
                bits &= to - begin < Long.SIZE ? (1L << (to - begin)) - 1 : -1L;
                count += Long.bitCount(bits);
            }
        }
        return count;
    }

    /** Forgets the chunks that lie wholly before a sequence: the stream begins behind them. */
    void forgetBefore(long sequence) {
        Map<Long, long[]> before = chunks.headMap(sequence >> CHUNK_SHIFT, false);
        before.keySet().forEach(chunk -> records.remove(chunkKey(chunk)));
        before.clear();
    }

    /** Forgets deletions from a sequence on: those messages are gone, and others will come. */
    void forgetFrom(long sequence) {
        for (long chunk :
                List.copyOf(chunks.tailMap(sequence >> CHUNK_SHIFT, true).keySet())) {
            long base = chunk << CHUNK_SHIFT;
            long[] words = copy(chunk);
            if (count(base, words, sequence, Long.MAX_VALUE) > 0) {
                for (long at = Math.max(base, sequence); at < base + CHUNK_MASK + 1; at++) {
                    words[word(at)] &= ~(1L << at);
                }
                save(chunk, words);
            }
        }
    }

    /** Removes all records. */
    void removeRecords() {
        chunks.keySet().forEach(chunk -> records.remove(chunkKey(chunk)));
        chunks.clear();
    }
}

package dev.larder.lab.queue;

import dev.larder.cli.Figures;
import dev.larder.lab.result.Require;
import dev.larder.lab.run.RecordReader;
import dev.larder.lab.run.Records;
import dev.larder.log.IntegrityMode;
import dev.larder.log.LogCounter;
import dev.larder.log.LogOptions;
import dev.larder.log.SyncPolicy;
import dev.larder.memory.Allocation;
import dev.larder.queue.Appender;
import dev.larder.queue.Batch;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.Tailer;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A Larder queue under test. */
final class LarderBurstSubject implements BurstSubject {

    private static final long RECORD_HEADER_BYTES = 8;

    private final Records messages;
    private final LogOptions options;
    private final boolean batches;
    private final boolean copies;
    private Map<LogCounter, Long> countedBefore = Map.of();
    private @Nullable LarderQueue queue;
    private @Nullable Appender appender;
    private @Nullable Tailer reader;
    private @Nullable Tailer copier;
    private @Nullable Tailer verifier;

    LarderBurstSubject(Figures configuration) {
        messages = BurstChild.messages(configuration);
        batches = configuration.text("append").equals("batch");
        copies = configuration.flag("read_copied");
        options = logOptions(configuration);
    }

    private static LogOptions logOptions(Figures configuration) {
        LogOptions options = LogOptions.defaults()
                .withSync(SyncPolicy.none())
                .withDurability(durability -> durability.withEarlyWriteback(configuration.flag("early_writeback")))
                .withPrepareBytes(configuration.whole("prepare_ahead_bytes"));
        if (configuration.get("integrity") instanceof String integrity) {
            options = options.withIntegrity(IntegrityMode.valueOf(integrity.toUpperCase(Locale.ROOT)));
        }
        if (configuration.flag("rehearsal")) {
            options = options.withLayout(layout -> layout.withAllocation(Allocation.GROW_COPIED));
        }
        Long keptBytes = configuration.wholeOrNull("kept_bytes");
        if (keptBytes != null) {
            options = options.withRetention(retention -> retention.withBytes(keptBytes));
        }
        Long segmentBytes = configuration.wholeOrNull("segment_bytes");
        return segmentBytes == null ? options : options.withLargestSegmentBytes(segmentBytes);
    }

    @Override
    public void create(Path directory) {
        queue = LarderQueue.open(directory, options);
        appender = queue.appender();
        reader = queue.tailer();
        copier = copies ? queue.tailer() : reader; // an idle one would retain a file
        verifier = queue.tailer();
        countedBefore = queue.counters();
    }

    /**
     * Returns how many segments the writer has entered since the last call, and how many were made from reused files: some
     * of them between the bursts.
     */
    @Override
    public Figures counted() {
        Map<LogCounter, Long> now = Require.open(queue).counters();
        Map<LogCounter, Long> before = countedBefore;
        countedBefore = now;
        return new Figures()
                .put("segments_entered", difference(LogCounter.ROLLS, now, before))
                .put("segments_recycled", difference(LogCounter.RECYCLED, now, before));
    }

    private static long difference(LogCounter counter, Map<LogCounter, Long> now, Map<LogCounter, Long> before) {
        return now.getOrDefault(counter, 0L) - before.getOrDefault(counter, 0L);
    }

    @Override
    public long fileBytes() {
        return Require.open(queue).info().bytes();
    }

    @Override
    public void prepare(long count) {
        Require.open(queue).prepare(count * (messages.recordBytes() + RECORD_HEADER_BYTES));
    }

    @Override
    public void write(int burst, long count) {
        if (batches) {
            writeBatches(burst, count);
        } else {
            writeSingly(burst, count);
        }
    }

    private void writeSingly(int burst, long count) {
        Appender appender = Require.open(this.appender);
        Records records = messages.in(burst);
        MemorySegment source = records.segment();
        int length = messages.recordBytes();
        for (long sequence = 0; sequence < count; sequence++) {
            appender.append(source, records.make(sequence), length);
        }
    }

    private void writeBatches(int burst, long count) {
        Records records = messages.in(burst);
        MemorySegment source = records.segment();
        int length = messages.recordBytes();
        try (Batch batch = Require.open(appender).batch()) {
            for (long sequence = 0; sequence < count; sequence++) {
                batch.add(source, records.make(sequence), length);
            }
        }
    }

    @Override
    public void sync() {
        Require.open(queue).sync();
    }

    @Override
    public long read(long count) {
        return RecordReader.summing(messages, Require.open(reader)).readAll(count);
    }

    @Override
    public long readCopied(long count) {
        return RecordReader.copying(messages, Require.open(copier)).readAll(count);
    }

    @Override
    public void verify(int burst, long count) {
        RecordReader.checking(messages.in(burst), Require.open(verifier)).readAll(count);
    }

    @Override
    public void close() {
        if (queue != null) {
            Require.open(reader).close();
            Require.open(copier).close();
            Require.open(verifier).close();
            Require.open(appender).close();
            queue.close();
            queue = null;
        }
    }
}

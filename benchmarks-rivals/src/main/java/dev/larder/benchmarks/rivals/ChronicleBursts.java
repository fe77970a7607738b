package dev.larder.benchmarks.rivals;

import dev.larder.cli.Figures;
import dev.larder.lab.queue.BurstChild;
import dev.larder.lab.queue.BurstSubject;
import dev.larder.lab.result.LabException;
import dev.larder.lab.run.Records;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;
import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesStore;
import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;
import net.openhft.chronicle.wire.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Chronicle Queue under test. It is written and read in its fastest way: from memory outside the heap, and without a copy. It
 * is then read again in the way that its documentation shows.
 *
 * <p>Modes: {@code growing-file}, one queue for all bursts; {@code new-queue}, a new one for each, the old one deleted. Its
 * {@code sync()} requests a write-back from the kernel and does not wait, so it promises less than Larder's.
 */
public final class ChronicleBursts implements BurstSubject {

    private final Records messages;
    private final PointerBytesStore[] sources;
    private final boolean newQueues;
    private Path directory = Path.of("");
    private @Nullable Path current;
    private @Nullable ChronicleQueue queue;
    private @Nullable ExcerptAppender appender;
    private @Nullable ExcerptTailer reader;
    private @Nullable ExcerptTailer copier;
    private @Nullable ExcerptTailer verifier;

    private ChronicleBursts(Figures configuration) {
        messages = new Records((int) configuration.whole("message_bytes"), configuration.whole("seed"), 0);
        newQueues = configuration.text("mode").equals("new-queue");
        sources = new PointerBytesStore[(int) (messages.segment().byteSize() / messages.recordBytes())];
        for (int slot = 0; slot < sources.length; slot++) {
            sources[slot] = BytesStore.nativePointer();
            sources[slot].set(
                    messages.segment().address() + (long) slot * messages.recordBytes(), messages.recordBytes());
        }
    }

    /** Serves the lab. */
    public static void main(String[] arguments) throws IOException {
        BurstChild.serve(ChronicleBursts::new);
    }

    @Override
    public void create(Path place) {
        directory = place;
        if (!newQueues) {
            open(place);
        }
    }

    @Override
    public void begin(int burst) {
        if (newQueues) {
            close();
            if (current != null) {
                delete(current);
            }
            open(directory.resolve("burst-" + burst));
        }
    }

    private void open(Path place) {
        current = place;
        queue = ChronicleQueue.singleBuilder(place).build();
        appender = queue.createAppender();
        reader = queue.createTailer();
        copier = queue.createTailer();
        verifier = queue.createTailer();
    }

    @Override
    public void write(int burst, long count) {
        ExcerptAppender target = opened(appender);
        int length = messages.recordBytes();
        Records records = messages.in(burst);
        for (long sequence = 0; sequence < count; sequence++) {
            target.writeBytes(sources[(int) (records.make(sequence) / length)]);
        }
    }

    @Override
    public void sync() {
        opened(appender).sync();
    }

    @Override
    public long read(long count) {
        ExcerptTailer tailer = opened(reader);
        long sum = 0;
        for (long sequence = 0; sequence < count; sequence++) {
            try (DocumentContext document = tailer.readingDocument()) {
                Bytes<?> bytes = bytes(document, sequence, count);
                long address = bytes.addressForRead(bytes.readPosition());
                sum += Records.sumWords(NativeMemory.ALL, address, (int) bytes.readRemaining());
            }
        }
        return sum;
    }

    /** Reads by {@code readBytes}, the way that its documentation shows. */
    @Override
    public long readCopied(long count) {
        ExcerptTailer tailer = opened(copier);
        Bytes<?> copy = Bytes.allocateElasticDirect(messages.recordBytes());
        long sum = 0;
        for (long sequence = 0; sequence < count; sequence++) {
            copy.clear();
            if (!tailer.readBytes(copy)) {
                throw new LabException(sequence + " messages read back, " + count + " written");
            }
            sum += Records.sumWords(
                    NativeMemory.ALL, copy.addressForRead(copy.readPosition()), (int) copy.readRemaining());
        }
        copy.releaseLast();
        return sum;
    }

    @Override
    public void verify(int burst, long count) {
        ExcerptTailer tailer = opened(verifier);
        for (long sequence = 0; sequence < count; sequence++) {
            try (DocumentContext document = tailer.readingDocument()) {
                Bytes<?> bytes = bytes(document, sequence, count);
                long address = bytes.addressForRead(bytes.readPosition());
                MemorySegment all = NativeMemory.ALL;
                messages.in(burst).checkBytes(sequence, all, address, (int) bytes.readRemaining());
            }
        }
    }

    private static Bytes<?> bytes(DocumentContext document, long sequence, long count) {
        Wire wire = document.wire();
        if (!document.isPresent() || wire == null) {
            throw new LabException(sequence + " messages read back, " + count + " written");
        }
        return wire.bytes();
    }

    @Override
    public long fileBytes() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path place) {
        try (Stream<Path> files = Files.walk(place)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        if (queue != null) {
            queue.close();
            queue = null;
        }
    }

    private static <T> T opened(@Nullable T part) {
        if (part == null) {
            throw new LabException("the queue is not open");
        }
        return part;
    }
}

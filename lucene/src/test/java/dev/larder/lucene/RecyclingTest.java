package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Effort;
import dev.larder.tests.support.Samples;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.zip.CRC32;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files come and go while other threads read: no reader ever sees the bytes of another file. */
class RecyclingTest {

    private static final int FILES = 16;
    private static final int ROUNDS = Effort.of(200, 400, 4_000);
    private static final int MOST_BYTES = 3 << 20;

    @TempDir
    Path folder;

    private final AtomicBoolean done = new AtomicBoolean();

    @Test
    void shouldKeepFilesApartInMemory() throws Exception {
        churn(LarderDirectory.inMemory());
    }

    @Test
    void shouldKeepFilesApartOnAFolder() throws Exception {
        churn(LarderDirectory.open(folder));
    }

    @Test
    void shouldKeepFilesApartWhereMemoryIsShort() throws Exception {
        churn(LarderDirectory.open(
                folder,
                DirectoryOptions.defaults()
                        .withBudget(MemoryBudget.of(20 << 20))
                        .withWhenFull(WhenFull.LEAVE_ON_DISK)));
    }

    private void churn(LarderDirectory made) throws Exception {
        long read = 0;
        try (LarderDirectory directory = made;
                ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Long>> readers = new ArrayList<>();
            for (int reader = 0; reader < 3; reader++) {
                int seed = reader;
                readers.add(threads.submit(() -> readUntilDone(directory, new SplittableRandom(seed))));
            }
            try {
                replaceFiles(directory);
            } finally {
                done.set(true);
            }
            read = sum(readers);
        }
        assertThat(read).isPositive();
        assertThat(made.statistics().recycledBytes()).isPositive();
    }

    private static long sum(List<Future<Long>> readers) throws InterruptedException, ExecutionException {
        long sum = 0;
        for (Future<Long> reader : readers) {
            sum += reader.get();
        }
        return sum;
    }

    /** Replaces files, each of which is its checksum, then bytes. */
    private static void replaceFiles(Directory directory) throws IOException {
        SplittableRandom random = new SplittableRandom(99);
        for (int round = 0; round < ROUNDS; round++) {
            String name = "file-" + random.nextInt(FILES);
            if (List.of(directory.listAll()).contains(name)) {
                directory.deleteFile(name);
            }
            int length = random.nextInt(random.nextBoolean() ? 5000 : MOST_BYTES);
            byte[] bytes = Samples.bytes(random.nextLong(), length);
            directory.rename(writeTemporary(directory, bytes), name);
        }
    }

    private static String writeTemporary(Directory directory, byte[] bytes) throws IOException {
        try (IndexOutput output = directory.createTempOutput("new", "file", IOContext.DEFAULT)) {
            output.writeLong(checksum(bytes));
            output.writeBytes(bytes, bytes.length);
            return output.getName();
        }
    }

    private static long checksum(byte[] bytes) {
        CRC32 checksum = new CRC32();
        checksum.update(bytes);
        return checksum.getValue();
    }

    private long readUntilDone(Directory directory, SplittableRandom random) throws IOException {
        long read = 0;
        while (!done.get()) {
            try (IndexInput input = directory.openInput("file-" + random.nextInt(FILES), IOContext.DEFAULT)) {
                for (int times = random.nextInt(1, 4); times > 0; times--) {
                    checkWhole(random.nextBoolean() ? input.clone() : input.slice("all", 0, input.length()));
                    read++;
                }
            } catch (NoSuchFileException e) {
                Thread.onSpinWait(); // it is about to come
            }
        }
        return read;
    }

    private static void checkWhole(IndexInput input) throws IOException {
        long expected = input.readLong();
        byte[] bytes = new byte[(int) (input.length() - input.getFilePointer())];
        input.readBytes(bytes, 0, bytes.length);
        assertThat(checksum(bytes)).isEqualTo(expected);
    }
}

package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Cannot move a file to the disk, in a JVM that has no room for a window. So the file ends in memory. */
public final class WindowlessChild {

    private static final int BUDGET = 100_000;
    private static final int LEFT_BYTES = 128 << 10; // of the heap: half a window

    private WindowlessChild() {}

    /** Argument: a folder. */
    public static void main(String[] arguments) throws IOException {
        DirectoryOptions options = DirectoryOptions.defaults().withBudget(MemoryBudget.of(BUDGET));
        try (LarderDirectory directory = LarderDirectory.open(Path.of(arguments[0]), options)) {
            Contents.write(directory, "first", 1, 5 * BUDGET); // loads every class that the next file needs
            directory.deleteFile("first");
            long numbers;
            try (IndexOutput output = directory.createOutput("file", IOContext.DEFAULT)) {
                output.writeByte((byte) 1);
                numbers = writeUntilThereIsNoMemory(output);
                output.writeByte((byte) 2); // there is room for less than a number
            }
            directory.sync(List.of("file"));
            check(directory, numbers);
        }
        System.out.println("written");
    }

    private static long writeUntilThereIsNoMemory(IndexOutput output) throws IOException {
        List<byte[]> held = fillHeap();
        long number = 0;
        try {
            for (; number < BUDGET; number++) {
                output.writeLong(number);
            }
            throw new AssertionError("there was a window");
        } catch (OutOfMemoryError e) {
            held.clear(); // the heap has room again
        }
        return number;
    }

    private static void check(LarderDirectory directory, long numbers) throws IOException {
        try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
            assertThat(input.length()).isEqualTo(2 + numbers * Long.BYTES);
            assertThat(input.readByte()).isEqualTo((byte) 1);
            for (long number = 0; number < numbers; number++) {
                assertThat(input.readLong()).isEqualTo(number);
            }
            assertThat(input.readByte()).isEqualTo((byte) 2);
        }
    }

    private static List<byte[]> fillHeap() {
        List<byte[]> held = new ArrayList<>(1 << 20);
        held.add(new byte[LEFT_BYTES]);
        for (int size = 1 << 20; size >= 1 << 10; size /= 4) {
            fillHeap(held, size);
        }
        held.set(0, new byte[0]);
        return held;
    }

    private static void fillHeap(List<byte[]> held, int size) {
        try {
            while (true) {
                held.add(new byte[size]);
            }
        } catch (OutOfMemoryError e) {
            return; // full, for this size
        }
    }
}

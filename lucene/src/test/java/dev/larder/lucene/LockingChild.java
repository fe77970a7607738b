package dev.larder.lucene;

import java.io.IOException;

/** Writes a file whose memory is to be locked, and prints the result. */
public final class LockingChild {

    private static final int LENGTH = 1 << 20;

    private LockingChild() {}

    /** Argument: a {@link PageLocking}. */
    public static void main(String[] arguments) throws IOException {
        DirectoryOptions options = DirectoryOptions.defaults().withPageLocking(PageLocking.valueOf(arguments[0]));
        try (LarderDirectory directory = LarderDirectory.inMemory(options)) {
            Contents.write(directory, "file", 1, LENGTH);
            Contents.check(directory, "file", 1, LENGTH);
            System.out.println("locked " + directory.statistics().lockedBytes());
        } catch (IOException e) {
            System.out.println("refused: " + e.getMessage());
        }
    }
}

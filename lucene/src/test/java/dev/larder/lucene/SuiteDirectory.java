package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.apache.lucene.tests.store.BaseLockFactoryTestCase;

/** Lucene's own suites on our directories; run by {@link LuceneSuitesTest}. */
final class SuiteDirectory {

    private SuiteDirectory() {}

    /**
     * Lucene's suite, except its two tests of {@code isLoaded}. They demand that every directory but MMapDirectory has no answer,
     * and ours has one. Our tests run in their place.
     */
    abstract static class OfDirectories extends BaseChunkedDirectoryTestCase {

        @Override
        public void testIsLoaded() throws IOException {
            checkIsLoaded(0);
        }

        @Override
        public void testIsLoadedOnSlice() throws IOException {
            checkIsLoaded(1000);
        }

        /** Bytes that were just written are in memory, ours or the page cache. */
        private void checkIsLoaded(int offset) throws IOException {
            try (Directory directory = getDirectory(createTempDir("loaded"))) {
                Contents.write(directory, "file", 1, 100_000);
                try (IndexInput input = directory.openInput("file", IOContext.DEFAULT)) {
                    IndexInput part = input.slice("part", offset, input.length() - offset);
                    part.readBytes(new byte[(int) part.length()], 0, (int) part.length());
                    assertEquals(Optional.of(true), part.isLoaded());
                }
            }
        }
    }

    /** In memory alone. */
    public static final class InMemory extends OfDirectories {

        @Override
        protected Directory getDirectory(Path path, int ignoredChunkBytes) {
            return LarderDirectory.inMemory();
        }
    }

    /** On a folder. */
    public static final class OnFolder extends OfDirectories {

        @Override
        protected Directory getDirectory(Path path, int ignoredChunkBytes) throws IOException {
            return LarderDirectory.open(path);
        }
    }

    /** On a folder, with a budget so small that most files are left on the disk. */
    public static final class OnFolderWithoutRoom extends OfDirectories {

        @Override
        protected Directory getDirectory(Path path, int ignoredChunkBytes) throws IOException {
            DirectoryOptions options = DirectoryOptions.defaults()
                    .withBudget(MemoryBudget.of(40_000))
                    .withWhenFull(WhenFull.LEAVE_ON_DISK);
            return LarderDirectory.open(path, options);
        }
    }

    /** Locks of a directory in memory. */
    public static final class LocksInMemory extends BaseLockFactoryTestCase {

        @Override
        protected Directory getDirectory(Path path) {
            return LarderDirectory.inMemory();
        }
    }

    /** Locks of a folder. */
    public static final class LocksOnFolder extends BaseLockFactoryTestCase {

        @Override
        protected Directory getDirectory(Path path) throws IOException {
            return LarderDirectory.open(path);
        }
    }
}

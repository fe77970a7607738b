package dev.larder.lucene;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.tests.store.BaseChunkedDirectoryTestCase;
import org.apache.lucene.tests.store.BaseLockFactoryTestCase;

/** Lucene's own suites on our directories; run by {@link LuceneSuitesTest}. */
final class SuiteDirectory {

    private SuiteDirectory() {}

    /** In memory alone. */
    public static final class InMemory extends BaseChunkedDirectoryTestCase {

        @Override
        protected Directory getDirectory(Path path, int ignoredChunkBytes) {
            return LarderDirectory.inMemory();
        }
    }

    /** On a folder. */
    public static final class OnFolder extends BaseChunkedDirectoryTestCase {

        @Override
        protected Directory getDirectory(Path path, int ignoredChunkBytes) throws IOException {
            return LarderDirectory.open(path);
        }
    }

    /** On a folder, with a budget so small that most is left on the disk. */
    public static final class OnFolderWithoutRoom extends BaseChunkedDirectoryTestCase {

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

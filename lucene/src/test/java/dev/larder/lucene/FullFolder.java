package dev.larder.lucene;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.jspecify.annotations.Nullable;

/** A file system that takes a given number of bytes, and then no more until it is given more. */
final class FullFolder extends FilterFileSystemProvider {

    final AtomicLong leftBytes;

    /** Thrown in place of an exception, if set. */
    volatile @Nullable Error error;

    FullFolder(long leftBytes) {
        super("full://", FileSystems.getDefault());
        this.leftBytes = new AtomicLong(leftBytes);
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        return new FilterFileChannel(super.newFileChannel(path, options, attributes)) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                if (leftBytes.addAndGet(-source.remaining()) < 0) {
                    Error thrown = error;
                    if (thrown != null) {
                        throw thrown;
                    }
                    throw new IOException("No space left on device");
                }
                return super.write(source, position);
            }
        };
    }
}

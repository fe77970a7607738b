package dev.larder.lucene;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.CopyOption;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystems;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileAttribute;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;
import org.jspecify.annotations.Nullable;

/** A file system that holds up one step with one file, and has no mount table. */
final class WatchedFolder extends FilterFileSystemProvider {

    /** A step that is done with a file. */
    enum Step {
        LOOK,
        OPEN,
        WRITE,
        /** The end of a listing of a folder, whose names are known by then. */
        LISTED,
        /** The end of a renaming, when the folder has the new name. */
        RENAMED
    }

    final AtomicInteger openChannels = new AtomicInteger();
    private final AtomicInteger timesLeft = new AtomicInteger();
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile @Nullable Step heldStep;
    private volatile String heldName = "";

    WatchedFolder() {
        super("watched://", FileSystems.getDefault());
    }

    /** Makes the step wait when it is done for the n-th time from now on. */
    void hold(Step step, String name, int time) {
        heldName = name;
        timesLeft.set(time);
        heldStep = step;
    }

    void awaitHeld() throws InterruptedException {
        if (!reached.await(1, TimeUnit.MINUTES)) {
            throw new AssertionError("nobody came to " + heldStep + " " + heldName);
        }
    }

    void release() {
        released.countDown();
    }

    private void reached(Step step, Path path) throws IOException {
        if (step == heldStep && path.endsWith(heldName) && timesLeft.decrementAndGet() == 0) {
            reached.countDown();
            try {
                if (!released.await(2, TimeUnit.MINUTES)) {
                    throw new IOException("nobody lets go of " + path);
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        }
    }

    @Override
    public <A extends BasicFileAttributes> A readAttributes(Path path, Class<A> type, LinkOption... options)
            throws IOException {
        reached(Step.LOOK, path);
        return super.readAttributes(path, type, options);
    }

    @Override
    public DirectoryStream<Path> newDirectoryStream(Path folder, DirectoryStream.Filter<? super Path> filter)
            throws IOException {
        DirectoryStream<Path> names = super.newDirectoryStream(folder, filter);
        return new DirectoryStream<>() {
            @Override
            public Iterator<Path> iterator() {
                return names.iterator();
            }

            @Override
            public void close() throws IOException {
                names.close();
                reached(Step.LISTED, folder);
            }
        };
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        super.move(source, target, options);
        reached(Step.RENAMED, source);
    }

    @Override
    public FileStore getFileStore(Path path) throws IOException {
        throw new FileSystemException(path.toString(), null, "Mount point not found");
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        reached(Step.OPEN, path);
        FileChannel opened = super.newFileChannel(path, options, attributes);
        openChannels.incrementAndGet();
        return new FilterFileChannel(opened) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                reached(Step.WRITE, path);
                return super.write(source, position);
            }

            @Override
            protected void implCloseChannel() throws IOException {
                openChannels.decrementAndGet();
                super.implCloseChannel();
            }
        };
    }
}

package dev.larder.lucene;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.CopyOption;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.apache.lucene.tests.mockfile.FilterFileChannel;
import org.apache.lucene.tests.mockfile.FilterFileSystemProvider;

/**
 * A file system that performs each call and records, for one folder, what a disk may lack when the power fails.
 *
 * <pre>
 * a file   content as of its last flush | write | write | write ...      each later write is on the disk, or not, or in part
 * names    as of the last flush of the folder | made, renamed, deleted   each later name is as it was, or as it is
 * </pre>
 */
final class PowerLossFolder extends FilterFileSystemProvider {

    private static final int SECTOR_BYTES = 512;
    private static final double[] PROBABILITIES = {0, 0.1, 0.5, 0.9, 1};

    /** Called when the folder has changed. */
    @FunctionalInterface
    interface Listener {
        void changed();
    }

    /** A write that no flush has followed yet. A truncation of the file has no bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Write(long offset, byte[] bytes) {

        boolean isCut() {
            return bytes.length == 0;
        }
    }

    /** The content of a file, whatever its name. */
    private static final class Content {
        private byte[] durable = {};
        private final List<Write> later = new ArrayList<>();

        void flush() {
            durable = image(new SplittableRandom(0), 1);
            later.clear();
        }

        byte[] image(SplittableRandom random, double probability) {
            byte[] bytes = durable;
            for (Write write : later) {
                if (random.nextDouble() < probability) {
                    bytes = apply(bytes, write, random.nextDouble() < probability ? 0 : SECTOR_BYTES, random);
                }
            }
            return bytes;
        }

        /** Applies a write. Of a torn write, each sector is applied or not. */
        private static byte[] apply(byte[] before, Write write, int sectorBytes, SplittableRandom random) {
            if (write.isCut()) {
                return Arrays.copyOf(before, (int) Math.min(before.length, write.offset()));
            }
            int end = (int) write.offset() + write.bytes().length;
            byte[] after = Arrays.copyOf(before, Math.max(before.length, end));
            int step = sectorBytes == 0 ? write.bytes().length : sectorBytes;
            for (int at = 0; at < write.bytes().length; at += step) {
                int length = Math.min(step, write.bytes().length - at);
                if (sectorBytes == 0 || random.nextBoolean()) {
                    System.arraycopy(write.bytes(), at, after, (int) write.offset() + at, length);
                }
            }
            return after;
        }
    }

    private final Path folder;
    private final Listener listener;
    private final Map<String, Content> names = new HashMap<>(); // these and all contents guarded by this
    private Map<String, Content> durableNames = new HashMap<>();
    private boolean failsNextFlush;

    private PowerLossFolder(Path folder, Listener listener) {
        super("powerloss://", FileSystems.getDefault());
        this.folder = folder;
        this.listener = listener;
    }

    /** Returns a folder as a path of such a file system. */
    static Wrapped wrap(Path folder, Listener listener) {
        PowerLossFolder provider = new PowerLossFolder(folder, listener);
        FileSystem system = provider.getFileSystem(null);
        return new Wrapped(provider, provider.wrapPath(folder), system);
    }

    /** The path to use, and the file system that watches it. */
    record Wrapped(PowerLossFolder watcher, Path path, FileSystem system) {}

    /** Makes a folder with content that a disk may have now. */
    synchronized void image(Path target, SplittableRandom random) throws IOException {
        Files.createDirectories(target);
        double ofNames = PROBABILITIES[random.nextInt(PROBABILITIES.length)];
        double ofWrites = PROBABILITIES[random.nextInt(PROBABILITIES.length)];
        Set<String> all = new HashSet<>(names.keySet());
        all.addAll(durableNames.keySet());
        for (String name : all.stream().sorted().toList()) {
            Content content = (random.nextDouble() < ofNames ? names : durableNames).get(name);
            if (content != null) {
                Files.write(target.resolve(name), content.image(random, ofWrites));
            }
        }
    }

    /** Makes the next flush of a file fail: the disk takes nothing of it, and later flushes know nothing of its writes. */
    synchronized void failNextFlush() {
        failsNextFlush = true;
    }

    /** Returns the bytes of a file that a disk certainly has. */
    synchronized byte[] durable(String name) {
        return content(name).durable;
    }

    private synchronized Content content(String name) {
        return names.computeIfAbsent(name, created -> new Content());
    }

    private static String name(Path path) {
        return path.getFileName().toString();
    }

    private boolean isFolder(Path path) {
        return toDelegate(path).equals(folder);
    }

    private synchronized void note(Content content, long offset, byte[] bytes) {
        content.later.add(new Write(offset, bytes));
    }

    private synchronized void flush(Path path) throws IOException {
        if (isFolder(path)) {
            durableNames = new HashMap<>(names);
        } else if (failsNextFlush) {
            failsNextFlush = false;
            content(name(path)).later.clear(); // from then on the system takes the pages as written
            throw new IOException("Input/output error");
        } else {
            content(name(path)).flush();
        }
    }

    @Override
    public OutputStream newOutputStream(Path path, OpenOption... options) throws IOException {
        OutputStream made = super.newOutputStream(path, options);
        Content content = content(name(path));
        listener.changed();
        return new FilterOutputStream(made) {
            private long position;

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
                note(content, position, Arrays.copyOfRange(bytes, offset, offset + length));
                position += length;
                listener.changed();
            }
        };
    }

    @Override
    public SeekableByteChannel newByteChannel(
            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) throws IOException {
        SeekableByteChannel made = super.newByteChannel(path, options, attributes);
        if (options.contains(StandardOpenOption.CREATE_NEW)) {
            content(name(path));
        }
        return made;
    }

    @Override
    public FileChannel newFileChannel(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes)
            throws IOException {
        FileChannel made = super.newFileChannel(path, options, attributes);
        if (options.contains(StandardOpenOption.TRUNCATE_EXISTING)) {
            note(content(name(path)), 0, new byte[0]);
        }
        return new FilterFileChannel(made) {
            @Override
            public int write(ByteBuffer source, long position) throws IOException {
                ByteBuffer copy = source.duplicate();
                int count = super.write(source, position);
                byte[] bytes = new byte[count];
                copy.get(bytes);
                note(content(name(path)), position, bytes);
                listener.changed();
                return count;
            }

            @Override
            public void force(boolean metaData) throws IOException {
                flush(path); // the watched disk is a model: the real one needs no flush
                listener.changed();
            }
        };
    }

    @Override
    public void move(Path source, Path target, CopyOption... options) throws IOException {
        synchronized (this) {
            super.move(source, target, options);
            names.put(name(target), names.remove(name(source)));
        }
        listener.changed();
    }

    @Override
    public void delete(Path path) throws IOException {
        synchronized (this) {
            super.delete(path);
            names.remove(name(path));
        }
        listener.changed();
    }
}

package dev.larder.memory.region;

import dev.larder.memory.DiskFullException;
import dev.larder.memory.FileSync;
import dev.larder.memory.StorageFile;
import dev.larder.memory.SystemStorage;
import dev.larder.memory.TruncatedException;
import dev.larder.memory.linux.LinuxCalls;
import dev.larder.memory.linux.LinuxStorage;
import dev.larder.memory.portable.ChannelThreads;
import dev.larder.memory.portable.FileFailure;
import dev.larder.memory.portable.PortableStorage;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.channels.WritableByteChannel;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A file of fixed size whose parts are mapped as regions: any part, any number of times, by any number of processes.
 *
 * <pre>
 * file    |....|............|.....................|
 *              ^ offset     ^ offset + length
 * region       |............|   offset 0 of the region is byte {@code offset} of the file
 * </pre>
 *
 * <p>Its space is allocated before it is mapped, so a full disk is a {@link DiskFullException} at creation and never a failed
 * store. It is created with permissions for its owner alone. Close it after its regions: if it is closed earlier, they stay
 * usable but can no longer be forced.
 */
public final class MappedFile implements AutoCloseable {

    /** Whether reads by calls see stores into mappings; not guaranteed on systems other than Linux. */
    private static final boolean CALLS_SEE_STORES = SystemStorage.isLinux();

    private static final long TRANSFER_PAUSE_NANOS = 100_000;

    private final StorageFile file;
    private final FileChannel channel;
    private final FileSync sync;

    private MappedFile(StorageFile file, FileChannel channel, FileSync sync) {
        this.file = file;
        this.channel = channel;
        this.sync = sync;
    }

    /**
     * Creates a file of zeros; the name must be free.
     *
     * @throws DiskFullException if there is no room for it; no file is left then
     */
    public static MappedFile create(Path path, long bytes, FileSync sync) {
        RegionKind.MAPPED_FILE.requireSize(bytes);
        RegionFiles.create(SystemStorage.system(), path, bytes).close();
        return RegionFiles.orRemoved(SystemStorage.system(), path, () -> open(path, sync));
    }

    /** Opens an existing file for reading and writing. A symbolic link is refused. */
    public static MappedFile open(Path path, FileSync sync) {
        StorageFile file = openFile(path, sync).orElseThrow(() -> RegionFiles.missing(path));
        try {
            return new MappedFile(RegionFiles.requireBytes(file), openChannel(path), sync);
        } catch (RuntimeException e) {
            file.close();
            throw e;
        }
    }

    /** Returns the name by which this file was opened. */
    public Path path() {
        return file.path();
    }

    /** Returns the size in bytes. */
    public long sizeBytes() {
        return file.sizeBytes();
    }

    /** Returns the mode in which this file was opened. */
    public FileSync sync() {
        return sync;
    }

    /** Maps the whole file. */
    public Region map() {
        return map(0, sizeBytes());
    }

    /**
     * Maps a part of the file; the offset is a multiple of 4096.
     *
     * @throws TruncatedException if the part does not lie within the file
     */
    public Region map(long offset, long length) {
        return Region.owning(arena -> map(offset, length, arena));
    }

    /**
     * Maps a part of the file until an arena closes, which also ends everything else in it.
     *
     * @param arena shared, automatic or global: a confined one is refused
     */
    public Region map(long offset, long length, Arena arena) {
        return map(offset, length, new Part(offset, false), arena);
    }

    /** Removes the name; false if it is already gone. Mapped regions stay. */
    public boolean delete() {
        return SystemStorage.system().delete(path());
    }

    /** Closes the file. Mapped regions stay. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw FileFailure.of(path(), "close", e);
        } finally {
            file.close();
        }
    }

    /** Maps the whole file. Closing the region closes the file. */
    Region mapOwning(Arena arena) {
        return map(0, sizeBytes(), new Part(0, true), arena);
    }

    private Region map(long offset, long length, Part part, Arena arena) {
        if (offset % RegionFiles.MAP_ALIGNMENT != 0) {
            throw new IllegalArgumentException(path() + ": parts begin at multiples of 4096, not at " + offset);
        }
        MemorySegment mapped = file.map(offset, length, true, arena);
        return new Region(RegionKind.MAPPED_FILE, path().toString(), mapped, part);
    }

    private static Optional<StorageFile> openFile(Path path, FileSync sync) {
        return SystemStorage.system().isNative()
                ? LinuxStorage.INSTANCE.open(path, linuxFlags(sync))
                : PortableStorage.INSTANCE.open(path, options(sync));
    }

    private static FileChannel openChannel(Path path) {
        try {
            return ChannelThreads.run(() -> FileChannel.open(path, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
        } catch (IOException e) {
            throw FileFailure.of(path, "open the file", e);
        }
    }

    /** The backing of a region of this file: where it begins, and whether closing it closes the file. */
    private final class Part implements RegionBacking {

        private final long start;
        private final boolean owning;
        private final AtomicInteger transfers = new AtomicInteger();
        private volatile boolean closed;

        Part(long start, boolean owning) {
            this.start = start;
            this.owning = owning;
        }

        @Override
        public void force(MemorySegment part) {
            file.force(part);
        }

        @Override
        public void received(MemorySegment part) {
            if (sync != FileSync.NONE) {
                file.force(part);
            }
        }

        /** Transfers from the file. An interrupt closes only the channel; later transfers then write from the mapping. */
        @Override
        public long transferTo(MemorySegment part, long offset, WritableByteChannel target) throws IOException {
            transfers.incrementAndGet(); // first, because close() looks for transfers last
            try {
                if (closed) {
                    throw new IllegalStateException("the region is closed");
                }
                return CALLS_SEE_STORES && channel.isOpen()
                        ? transfer(start + offset, part.byteSize(), target)
                        : RegionChannels.write(part, target);
            } finally {
                transfers.decrementAndGet();
            }
        }

        private long transfer(long from, long length, WritableByteChannel target) throws IOException {
            long done = 0;
            long step = 1;
            while (step > 0 && done < length) {
                step = channel.transferTo(from + done, length - done, target);
                done += step;
            }
            return done;
        }

        @Override
        public boolean delete() {
            return MappedFile.this.delete();
        }

        /** Waits for transfers. They use the file and not its mapping, so the arena does not wait for them. */
        @Override
        public void close() {
            closed = true;
            while (transfers.get() > 0) {
                LockSupport.parkNanos(TRANSFER_PAUSE_NANOS);
            }
            if (owning) {
                MappedFile.this.close();
            }
        }
    }

    private static int linuxFlags(FileSync sync) {
        return LinuxCalls.O_RDWR
                | switch (sync) {
                    case NONE -> 0;
                    case DATA -> LinuxCalls.O_DSYNC;
                    case ALL -> LinuxCalls.O_SYNC;
                };
    }

    private static Set<OpenOption> options(FileSync sync) {
        Set<OpenOption> options =
                new HashSet<>(Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
        switch (sync) {
            case NONE -> {}
            case DATA -> options.add(StandardOpenOption.DSYNC);
            case ALL -> options.add(StandardOpenOption.SYNC);
        }
        return options;
    }
}

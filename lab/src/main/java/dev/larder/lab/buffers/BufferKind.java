package dev.larder.lab.buffers;

import dev.larder.cli.ByteSize;
import dev.larder.cli.Figures;
import dev.larder.lab.machine.SystemFile;
import dev.larder.memory.FileSync;
import dev.larder.memory.region.RegionKind;
import java.nio.file.Path;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A kind of buffer: a kind of region and, for files, the mode of opening. */
public enum BufferKind {
    HEAP(RegionKind.HEAP),
    DIRECT(RegionKind.DIRECT),
    MAPPED_RW(RegionKind.MAPPED_FILE, FileSync.NONE),
    MAPPED_RWD(RegionKind.MAPPED_FILE, FileSync.DATA),
    MAPPED_RWS(RegionKind.MAPPED_FILE, FileSync.ALL),
    DEV_SHM(RegionKind.SHARED_FILE),
    POSIX_SHM(RegionKind.POSIX),
    SYSTEM_V_SHM(RegionKind.SYSTEM_V),
    APR_SHM(RegionKind.APR),
    HUGE_PAGES(RegionKind.HUGE_PAGES);

    private static final Path MEMORY = Path.of("/proc/meminfo");
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final RegionKind region;
    private final FileSync sync;

    BufferKind(RegionKind region) {
        this(region, FileSync.NONE);
    }

    BufferKind(RegionKind region, FileSync sync) {
        this.region = region;
        this.sync = sync;
    }

    /** Returns the kind that a question names. */
    static BufferKind of(Figures question) {
        return valueOf(question.text("kind").toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns its kind of region. */
    public RegionKind region() {
        return region;
    }

    /** Returns the mode of a mapped file. */
    public FileSync sync() {
        return sync;
    }

    /** Returns whether this kind has proofs: files are alike in every mode, and proven in one. */
    boolean isProven() {
        return sync == FileSync.NONE;
    }

    /** Returns why blocks of a size have no row; null if they have one. */
    @Nullable
    String reasonToSkip(long blockBytes, long totalBytes) {
        return region.unavailable().orElseGet(() -> reasonOfSize(blockBytes, totalBytes));
    }

    private @Nullable String reasonOfSize(long blockBytes, long totalBytes) {
        return switch (region) {
            case HUGE_PAGES -> reasonOfPages(blockBytes, totalBytes, hugePageBytes());
            case SHARED_FILE, POSIX, APR ->
                reasonOfRoom(SHARED_MEMORY, BuffersOptions.groupBytes(blockBytes, totalBytes));
            default -> null;
        };
    }

    /** In a container, shared memory is often a small file system. */
    static @Nullable String reasonOfRoom(Path directory, long neededBytes) {
        long room = directory.toFile().getUsableSpace();
        return room >= neededBytes
                ? null
                : directory + " has room for " + ByteSize.format(room) + ", and the blocks that live at once take "
                        + ByteSize.format(neededBytes);
    }

    /** Each block would take whole pages. */
    private static @Nullable String reasonOfPages(long blockBytes, long totalBytes, long page) {
        if (blockBytes % page == 0) {
            return null;
        }
        long pages = (blockBytes + page - 1) / page;
        return "a block of " + ByteSize.format(blockBytes) + " would take " + pages + " x " + ByteSize.format(page)
                + ", and all of them " + ByteSize.format(totalBytes / blockBytes * pages * page);
    }

    private static long hugePageBytes() {
        Long bytes = SystemFile.kibibytes(MEMORY, "Hugepagesize");
        return bytes == null ? 1 : bytes;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}

package dev.larder.memory;

import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemoryLayout.PathElement;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.StructLayout;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The header at the start of every file of Larder: its format, version and features.
 * {@code docs/formats/file-header.md} describes it.
 *
 * <pre>
 * 0       8        16       20       24          32                    40            48        56        60     64
 * | magic | format | version| length | compatible | read-only compatible | incompatible | reserved | reserved | check |
 * | 8     | 8      | 4      | 4      | 8          | 8                    | 8            | 8        | 4        | 4     |
 * | fields of the format's own, up to {@code length} ...
 * </pre>
 *
 * <p>All fields are little-endian. The check is the CRC-32C of {@code length} bytes, with the format's own fields, and
 * with the check itself as zero. The magic has a byte above 127, both line ends, and the end-of-file of DOS, so a
 * transfer as text breaks it.
 *
 * @param format 1 to 8 ASCII characters
 * @param version of the format, from 1
 * @param headerBytes of this header and the format's own fields: 64 to 4096
 * @param features that the file uses
 */
public record FileHeader(String format, int version, int headerBytes, Features features) {

    /** The size of the part that every format's header has, in bytes. */
    public static final int COMMON_BYTES = 64;

    /** The size of the longest header, in bytes: the smallest page of any system. */
    public static final int LARGEST_BYTES = 4096;

    static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** The layout of the common bytes. */
    public static final StructLayout LAYOUT = MemoryLayout.structLayout(
                    MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("magic"),
                    MemoryLayout.sequenceLayout(8, ValueLayout.JAVA_BYTE).withName("format"),
                    INT.withName("version"),
                    INT.withName("header_bytes"),
                    LONG.withName("compatible"),
                    LONG.withName("read_only_compatible"),
                    LONG.withName("incompatible"),
                    LONG.withName("reserved_48"),
                    INT.withName("reserved_56"),
                    INT.withName("check"))
            .withName("file header");

    static final int NAME_BYTES = 8;
    static final long FORMAT = offset("format");
    static final long VERSION = offset("version");
    static final long HEADER_BYTES = offset("header_bytes");
    static final long COMPATIBLE = offset("compatible");
    static final long READ_ONLY_COMPATIBLE = offset("read_only_compatible");
    static final long INCOMPATIBLE = offset("incompatible");
    private static final long RESERVED = offset("reserved_48");
    static final long CHECK = offset("check");

    private static final byte[] MAGIC = {(byte) 0x89, 'L', 'R', 'D', '\r', '\n', 0x1a, '\n'};

    /** Makes a header; its format name, version and length must be in their ranges. */
    public FileHeader {
        boolean ascii = format.chars().allMatch(c -> c > ' ' && c < 127);
        if (format.isEmpty() || format.length() > NAME_BYTES || !ascii) {
            throw new IllegalArgumentException("a format is 1 to 8 printable ASCII characters, not \"" + format + "\"");
        }
        if (version < 1) {
            throw new IllegalArgumentException("versions begin at 1, not " + version);
        }
        if (headerBytes < COMMON_BYTES || headerBytes > LARGEST_BYTES) {
            throw new IllegalArgumentException("a header has 64 to 4096 bytes, not " + headerBytes);
        }
    }

    /**
     * Writes the common bytes, and the check last. The format's own fields, up to {@code headerBytes}, must already be
     * there.
     */
    public static void write(MemorySegment file, String format, int version, int headerBytes, Features features) {
        new FileHeader(format, version, headerBytes, features).write(file);
    }

    /**
     * Reads a header and checks it: that it is Larder's, is whole, has the right format, and is known to this release.
     *
     * @param file the first bytes of the file: 4096, or all if it is shorter
     * @param path the file, in error messages
     * @param format the expected format
     * @param version the newest known version
     * @param known the known features
     * @param writing whether the file will be written
     * @throws ForeignFileException if it is another program's file, or another format of Larder
     * @throws TruncatedException if it is shorter than its header
     * @throws CorruptException if the check fails
     * @throws NewerFormatException if its version, or a feature that matters, is unknown
     */
    public static FileHeader read(
            MemorySegment file, Path path, String format, int version, Features known, boolean writing) {
        return new FileHeaderReader(file, path).read(format, version, known, writing);
    }

    private void write(MemorySegment file) {
        MemorySegment.copy(magic(), 0, file, 0, NAME_BYTES);
        byte[] name = format.getBytes(StandardCharsets.US_ASCII);
        file.asSlice(FORMAT, NAME_BYTES).fill((byte) ' ');
        MemorySegment.copy(name, 0, file, ValueLayout.JAVA_BYTE, FORMAT, name.length);
        file.set(INT, VERSION, version);
        file.set(INT, HEADER_BYTES, headerBytes);
        file.set(LONG, COMPATIBLE, features.compatible());
        file.set(LONG, READ_ONLY_COMPATIBLE, features.readOnlyCompatible());
        file.set(LONG, INCOMPATIBLE, features.incompatible());
        file.asSlice(RESERVED, CHECK - RESERVED).fill((byte) 0);
        file.set(INT, CHECK, check(file, headerBytes));
    }

    static MemorySegment magic() {
        return MemorySegment.ofArray(MAGIC).asReadOnly();
    }

    /** Returns the check that a header of this length must have. */
    static int check(MemorySegment file, int headerBytes) {
        Crc32c crc = new Crc32c();
        crc.start();
        crc.add(file, 0, CHECK);
        crc.addZeros(Integer.BYTES);
        crc.add(file, COMMON_BYTES, headerBytes - COMMON_BYTES);
        return crc.value();
    }

    private static long offset(String field) {
        return LAYOUT.byteOffset(PathElement.groupElement(field));
    }
}

package dev.larder.memory;

import static dev.larder.memory.FileHeader.COMMON_BYTES;
import static dev.larder.memory.FileHeader.INT;
import static dev.larder.memory.FileHeader.LARGEST_BYTES;
import static dev.larder.memory.FileHeader.LONG;
import static dev.larder.memory.FileHeader.NAME_BYTES;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HexFormat;

/**
 * The checks of one header.
 *
 * <p>The CRC comes before the fields that it covers: a flipped bit in the version is damage, not a newer release.
 */
final class FileHeaderReader {

    private final MemorySegment file;
    private final Path path;

    FileHeaderReader(MemorySegment file, Path path) {
        this.file = file;
        this.path = path;
    }

    FileHeader read(String format, int version, Features known, boolean writing) {
        requireMagic();
        int headerBytes = requireWhole();
        requireFormat(format);
        int found = requireVersion(version);
        Features features = requireFeatures(known, writing);
        return new FileHeader(format, found, headerBytes, features);
    }

    /** Throws unless the file begins with the magic. A file that ends within the magic may have been Larder's. */
    private void requireMagic() {
        long present = Math.min(NAME_BYTES, file.byteSize());
        if (file.asSlice(0, present).mismatch(FileHeader.magic().asSlice(0, present)) < 0) {
            return;
        }
        if (isNothingButZeros()) {
            throw new CorruptException(path + ": the header at 0 is all zeros: never written, or lost in a power cut");
        }
        throw new ForeignFileException(path + ": not a file of Larder: it begins with " + hex(present) + ", expected "
                + HexFormat.of().formatHex(FileHeader.magic().toArray(ValueLayout.JAVA_BYTE)));
    }

    private int requireWhole() {
        requireBytes(COMMON_BYTES);
        int headerBytes = file.get(INT, FileHeader.HEADER_BYTES);
        if (headerBytes < COMMON_BYTES || headerBytes > LARGEST_BYTES) {
            throw new CorruptException(path + ": the header at 0 is damaged: its length is "
                    + Integer.toUnsignedString(headerBytes) + ", expected " + COMMON_BYTES + " to " + LARGEST_BYTES);
        }
        requireBytes(headerBytes);
        int found = file.get(INT, FileHeader.CHECK);
        int expected = FileHeader.check(file, headerBytes);
        if (found != expected) {
            throw new CorruptException(path + ": the header at 0 is damaged: its check is " + hex(found)
                    + ", its bytes give " + hex(expected));
        }
        return headerBytes;
    }

    private void requireBytes(int length) {
        if (file.byteSize() < length) {
            throw new TruncatedException(
                    path + ": the file ends at " + file.byteSize() + ", within its header of " + length + " bytes");
        }
    }

    private void requireFormat(String expected) {
        byte[] name = file.asSlice(FileHeader.FORMAT, NAME_BYTES).toArray(ValueLayout.JAVA_BYTE);
        String found = new String(name, StandardCharsets.US_ASCII).stripTrailing();
        if (!found.equals(expected)) {
            throw new ForeignFileException(
                    path + ": a file of Larder, but of format \"" + found + "\", expected \"" + expected + "\"");
        }
    }

    private int requireVersion(int newest) {
        int found = file.get(INT, FileHeader.VERSION);
        if (Integer.compareUnsigned(found, newest) > 0) {
            throw new NewerFormatException(path + ": version " + Integer.toUnsignedString(found)
                    + " of the format, expected at most " + newest + ": use a newer release");
        }
        if (found == 0) {
            throw new CorruptException(path + ": version 0 of the format, expected 1 to " + newest);
        }
        return found;
    }

    private Features requireFeatures(Features known, boolean writing) {
        Features found = new Features(
                file.get(LONG, FileHeader.COMPATIBLE),
                file.get(LONG, FileHeader.READ_ONLY_COMPATIBLE),
                file.get(LONG, FileHeader.INCOMPATIBLE));
        Features unknown = found.unknownTo(known);
        if (unknown.incompatible() != 0) {
            throw newer("features", found.incompatible(), known.incompatible(), "use a newer release");
        }
        if (writing && unknown.readOnlyCompatible() != 0) {
            throw newer(
                    "features that a writer must know",
                    found.readOnlyCompatible(),
                    known.readOnlyCompatible(),
                    "open read-only, or use a newer release");
        }
        return found;
    }

    private NewerFormatException newer(String what, long found, long known, String advice) {
        return new NewerFormatException(path + ": " + what + " 0x" + Long.toHexString(found) + "; this release knows 0x"
                + Long.toHexString(known) + ": " + advice);
    }

    private boolean isNothingButZeros() {
        long length = Math.min(COMMON_BYTES, file.byteSize());
        return file.asSlice(0, length).mismatch(MemorySegment.ofArray(new byte[(int) length])) < 0;
    }

    private String hex(long length) {
        return HexFormat.of().formatHex(file.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE));
    }

    private static String hex(int word) {
        return "0x" + HexFormat.of().toHexDigits(word);
    }
}

package dev.larder.log.layer;

import dev.larder.log.format.ControlLayout;
import dev.larder.memory.StorageException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * A log that was copied file by file while other processes appended to it, and dropped segments:
 *
 * <pre>
 * the control file is read | the segments are listed, and copied, but for those that are dropped | the start is read again
 * </pre>
 *
 * Such a copy is like a log after a loss of power: it has all that was synced before, and perhaps some later records.
 */
public final class LogCopy {

    private static final String CONTROL = "log.ctl";
    private static final Pattern SEGMENT = Pattern.compile("[0-9]{10}\\.seg");
    private static final int STATE_BYTES = 48;
    private static final int MEMORY = 24;
    private static final int CHECK = 40;

    private LogCopy() {}

    /** Returns whether a file is the control file of a log. */
    public static boolean isControl(Path file) {
        return file.endsWith(CONTROL);
    }

    /**
     * Returns the bytes of a control file, without the zeros at its end.
     *
     * @throws IOException if it cannot be read
     */
    public static byte[] readControl(Path control) throws IOException {
        byte[] bytes = Files.readAllBytes(control);
        int length = bytes.length;
        while (length > 0 && bytes[length - 1] == 0) {
            length--;
        }
        return Arrays.copyOf(bytes, length);
    }

    /**
     * Records in the bytes of a control file which segments have been dropped since it was read.
     *
     * @throws IOException if the file cannot be read
     */
    public static void updateStart(Path control, byte[] bytes) throws IOException {
        System.arraycopy(readStart(control).array(), 0, bytes, (int) ControlLayout.FIRST, Long.BYTES);
    }

    /**
     * Returns whether, by its control file, a log has dropped a segment. The segment's file may still be there.
     *
     * @throws IOException if its control file cannot be read
     */
    public static boolean isDropped(Path segment) throws IOException {
        String name = segment.getFileName().toString();
        if (!SEGMENT.matcher(name).matches()) {
            return false;
        }
        int first = readStart(segment.resolveSibling(CONTROL)).getInt(0);
        return Long.parseLong(name.substring(0, name.indexOf('.'))) < first;
    }

    private static ByteBuffer readStart(Path control) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel file = FileChannel.open(control, StandardOpenOption.READ)) {
            while (start.hasRemaining()) {
                if (file.read(start, ControlLayout.FIRST + start.position()) < 0) {
                    throw new IOException(control + " is cut off at " + file.size() + " bytes");
                }
            }
        }
        return start.flip();
    }

    /**
     * Makes the next opening of a copy find a loss of power, not the crash of a process. The copy's control file names the
     * memory that the log was in, which may be this machine's.
     *
     * @throws StorageException if the file cannot be read or written
     */
    public static void settle(Path control) {
        try (FileChannel file = FileChannel.open(control, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer state = ByteBuffer.allocate(STATE_BYTES).order(ByteOrder.LITTLE_ENDIAN);
            while (state.hasRemaining()) {
                if (file.read(state, ControlLayout.STATE + state.position()) < 0) {
                    throw new StorageException(control + ": the copy of a log is cut off at " + file.size() + " bytes");
                }
            }
            if (state.getLong(CHECK) != check(state)) {
                return; // it was being written; an opening treats that as a loss of power
            }
            state.putLong(MEMORY, 0).putLong(MEMORY + Long.BYTES, 0);
            state.putLong(CHECK, check(state)).rewind();
            while (state.hasRemaining()) {
                file.write(state, ControlLayout.STATE + state.position());
            }
            file.force(true);
        } catch (IOException e) {
            throw new StorageException(control + ": cannot complete the copy of a log: " + e, e);
        }
    }

    private static long check(ByteBuffer state) {
        CRC32C check = new CRC32C();
        check.update(state.slice(0, CHECK));
        return 1L << 32 | check.getValue();
    }
}

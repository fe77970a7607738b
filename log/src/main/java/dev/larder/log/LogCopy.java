package dev.larder.log;

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
import java.util.zip.CRC32C;

/**
 * A log that was copied file by file while others appended to it. First its control file is copied, then its segments in their
 * order. Nothing was dropped meanwhile that the control file still names.
 *
 * <p>Such a copy is what a loss of power may leave: all that was synced before is there, and perhaps some of what came later.
 */
public final class LogCopy {

    private static final String CONTROL = "log.ctl";
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
     * Returns whether no segment was dropped since a control file was read.
     *
     * @param before its bytes
     * @throws IOException if it cannot be read
     */
    public static boolean hasSameStart(Path control, byte[] before) throws IOException {
        int at = (int) ControlLayout.FIRST;
        byte[] now = Files.readAllBytes(control);
        return Arrays.equals(now, at, at + Long.BYTES, before, at, at + Long.BYTES);
    }

    /**
     * Has the next opening of a copy find a loss of power, and not the crash of a process: the copy's control file says whose
     * memory it was in, and that may be this machine's.
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
                return; // it was being written: an opening takes that for a loss of power
            }
            state.putLong(MEMORY, 0).putLong(MEMORY + Long.BYTES, 0);
            state.putLong(CHECK, check(state)).rewind();
            while (state.hasRemaining()) {
                file.write(state, ControlLayout.STATE + state.position());
            }
            file.force(true);
        } catch (IOException e) {
            throw new StorageException(control + ": the copy of a log cannot be settled: " + e, e);
        }
    }

    private static long check(ByteBuffer state) {
        CRC32C check = new CRC32C();
        check.update(state.array(), 0, CHECK);
        return 1L << 32 | check.getValue();
    }
}

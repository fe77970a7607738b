package dev.larder.log.shared;

import dev.larder.log.IntegrityMode;
import dev.larder.memory.CorruptException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The code by which the header of a file names an integrity mode: 0 NONE, 1 RECORD, 2 SEAL. */
public final class IntegrityCode {

    private IntegrityCode() {}

    /** Returns the code of a mode. */
    public static int of(IntegrityMode mode) {
        return switch (mode) {
            case NONE -> 0;
            case RECORD -> 1;
            case SEAL -> 2;
        };
    }

    /** Returns the mode that the header of a file names. Allocates nothing: a reader calls it at each block. */
    public static IntegrityMode mode(int code, Path file) {
        IntegrityMode mode = known(code);
        if (mode == null) {
            throw new CorruptException(file + ": header says integrity " + code + ", known are 0 to 2");
        }
        return mode;
    }

    private static @Nullable IntegrityMode known(int code) {
        return switch (code) {
            case 0 -> IntegrityMode.NONE;
            case 1 -> IntegrityMode.RECORD;
            case 2 -> IntegrityMode.SEAL;
            default -> null;
        };
    }

    /** Returns a header's code in words, even if it is unknown. */
    public static String describe(int code) {
        IntegrityMode mode = known(code);
        return mode == null ? String.valueOf(code) : code + " (" + mode + ")";
    }
}

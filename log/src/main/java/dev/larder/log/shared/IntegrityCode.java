package dev.larder.log.shared;

import dev.larder.log.IntegrityMode;
import dev.larder.memory.CorruptException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/** How the header of a file names an integrity mode: 0 NONE, 1 RECORD, 2 SEAL. */
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

    /** Returns the mode that the header of a file names. */
    public static IntegrityMode mode(int code, Path file) {
        return known(code)
                .orElseThrow(
                        () -> new CorruptException(file + ": header says integrity " + code + ", known are 0 to 2"));
    }

    private static Optional<IntegrityMode> known(int code) {
        return Arrays.stream(IntegrityMode.values())
                .filter(mode -> of(mode) == code)
                .findFirst();
    }

    /** Returns a code of a header in words, also where it is unknown. */
    public static String describe(int code) {
        return code + known(code).map(mode -> " (" + mode + ")").orElse("");
    }
}

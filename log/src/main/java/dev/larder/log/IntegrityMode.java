package dev.larder.log;

import dev.larder.memory.CorruptException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * What protects the payloads of a log, chosen when it is created. In every mode nothing that {@code sync} has
 * returned is lost by a power cut, and nothing torn is served; the modes differ in what the writer pays and in what
 * is kept beyond the last sync.
 */
public enum IntegrityMode {
    /** The word of a record alone is checked. After a power cut, exactly what {@code sync} returned is kept. */
    NONE(0),
    /** Each record carries the CRC32C of its payload, computed by the writer. */
    RECORD(1),
    /** Ranges of 1 MiB are sealed with a CRC32C when they are synced, off the writer's path. */
    SEAL(2);

    /** How the mode is written in a header. */
    public final int code;

    IntegrityMode(int code) {
        this.code = code;
    }

    /** Returns the mode that the header of a file names. */
    public static IntegrityMode of(int code, Path file) {
        return known(code)
                .orElseThrow(
                        () -> new CorruptException(file + ": header says integrity " + code + ", known are 0 to 2"));
    }

    private static Optional<IntegrityMode> known(int code) {
        return Arrays.stream(values()).filter(mode -> mode.code == code).findFirst();
    }

    /** Returns a code of a header in words, also where it is unknown. */
    public static String describe(int code) {
        return code + known(code).map(mode -> " (" + mode + ")").orElse("");
    }
}

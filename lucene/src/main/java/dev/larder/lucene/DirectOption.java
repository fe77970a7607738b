package dev.larder.lucene;

import java.nio.file.OpenOption;
import java.util.Arrays;
import java.util.Optional;

/**
 * The JDK's way to read past the page cache, {@code com.sun.nio.file.ExtendedOpenOption.DIRECT}. It is looked up by its name,
 * because it is no part of Java and the compiler warns at every use.
 */
final class DirectOption {

    static final Optional<OpenOption> FOUND = find();

    private DirectOption() {}

    private static Optional<OpenOption> find() {
        try {
            Object[] options =
                    Class.forName("com.sun.nio.file.ExtendedOpenOption").getEnumConstants();
            return Arrays.stream(options)
                    .filter(option -> option.toString().equals("DIRECT"))
                    .map(OpenOption.class::cast)
                    .findFirst();
        } catch (ClassNotFoundException e) {
            return Optional.empty();
        }
    }
}

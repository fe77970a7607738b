package dev.larder.log;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** The checkout that the tests run in: where the format pages and the golden files are. */
final class Repository {

    private Repository() {}

    static Path root() {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("docs/formats"))) {
            directory = Objects.requireNonNull(directory.getParent(), "no docs/formats above the working directory");
        }
        return directory;
    }
}

package dev.larder.lab.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The folder into which the tests of corpora write their files. */
abstract class CorpusFolder {

    @TempDir
    Path folder;

    Path file(String name, byte[] content) throws IOException {
        return Files.write(folder.resolve(name), content);
    }

    Path file(String name, String content) throws IOException {
        return file(name, content.getBytes(UTF_8));
    }
}

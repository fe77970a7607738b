package dev.larder.lucene;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.tests.support.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;
import org.apache.lucene.store.IndexInput;
import org.apache.lucene.store.IndexOutput;

/** Files whose bytes follow from a number. */
final class Contents {

    private Contents() {}

    static byte[] of(int number, int length) {
        return Samples.bytes(number, length);
    }

    static void write(Directory directory, String name, int number, int length) throws IOException {
        try (IndexOutput output = directory.createOutput(name, IOContext.DEFAULT)) {
            output.writeBytes(of(number, length), length);
        }
    }

    /** Puts a file into a folder, as another program does. */
    static void put(Path folder, String name, int number, int length) throws IOException {
        Files.write(folder.resolve(name), of(number, length));
    }

    static void check(IndexInput input, int number, int length) throws IOException {
        byte[] read = new byte[length];
        assertThat(input.length()).isEqualTo(length);
        input.seek(0);
        input.readBytes(read, 0, length);
        assertThat(read).isEqualTo(of(number, length));
    }

    static void check(Directory directory, String name, int number, int length) throws IOException {
        try (IndexInput input = directory.openInput(name, IOContext.DEFAULT)) {
            check(input, number, length);
        }
    }
}

package dev.larder.array.pull;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.array.pull.PulledFolder.Origin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A pull continues, whatever a loss of power leaves of it. */
final class PulledFolderTest {

    private static final String NAME = "store/a";

    @TempDir
    private Path directory;

    private Path done = Path.of("");

    @BeforeEach
    void pullOneFile() throws IOException {
        done = directory.resolve("7.pulling").resolve("done");
        PulledFolder folder = folder();
        folder.begin(new Origin(1, 2, 3, 4, 5));
        Files.writeString(folder.create(NAME), "content");
        folder.done(NAME, 7, PullSource.check(StandardCharsets.US_ASCII.encode("content")));
    }

    private PulledFolder folder() {
        return new PulledFolder(directory.resolve("7"), directory.resolve("record"));
    }

    @Test
    void linesThatAreNotWholeAreLeftOut() throws IOException {
        String zeros = "\0".repeat(512);
        for (String torn : new String[] {
            "12345678 1" + zeros + " store/b;\n", zeros, "12345678 12 ../b;\n", "12345678 12 store/" + zeros + ";\n"
        }) {
            Files.writeString(done, torn + "\n", StandardOpenOption.APPEND);
        }
        Files.write(done, new byte[] {(byte) 0xff, '\n'}, StandardOpenOption.APPEND);
        PulledFolder again = folder();
        again.goOn();
        assertThat(again.isDone(NAME, 7)).isTrue();
        assertThat(again.isDone("store/b", 1)).isFalse();
        again.finish();
        assertThat(again.isWhole()).isTrue();
    }

    @Test
    void allIsPulledAgainIfNothingSaysWhatIsHere() throws IOException {
        Files.delete(done);
        PulledFolder again = folder();
        again.goOn();
        assertThat(again.isDone(NAME, 7)).isFalse();
        again.done(NAME, 7, PullSource.check(StandardCharsets.US_ASCII.encode("content")));
        assertThat(again.isDone(NAME, 7)).isTrue();
    }
}

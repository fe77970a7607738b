package dev.larder.server.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.server.RedisComparison;
import dev.larder.server.TestClient;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Commands of operators, line by line, on a server and on redis-server: the replies must be the same. */
final class OperatorDifferenceTest {

    private static final Pattern WORD = Pattern.compile("\"([^\"]*)\"|(\\S+)");

    @TempDir
    private Path directory;

    private @Nullable RedisComparison both;

    @BeforeEach
    void start() {
        both = new RedisComparison(directory);
    }

    @AfterEach
    void stop() {
        if (both != null) { // else there is no redis-server
            both.close();
        }
    }

    private RedisComparison both() {
        return Objects.requireNonNull(both);
    }

    @ParameterizedTest
    @ValueSource(strings = {"access-lines.txt", "configuration-lines.txt", "server-lines.txt"})
    void repliesAreThoseOfRedis(String file) throws IOException {
        List<String> differences = new ArrayList<>();
        try (TestClient reference = both().redis().client()) {
            TestClient client = both().larder().client();
            for (String line : lines(file)) {
                String expected = reference.call(words(line));
                String found = client.call(words(line));
                if (!expected.equals(found)) {
                    differences.add(line + "\n  redis:  " + expected + "\n  larder: " + found);
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(OperatorDifferenceTest.class.getResourceAsStream(file), file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank())
                    .toList();
        }
    }

    private static String[] words(String line) {
        List<String> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        while (matcher.find()) {
            words.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return words.toArray(String[]::new);
    }
}

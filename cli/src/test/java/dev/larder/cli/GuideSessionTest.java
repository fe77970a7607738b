package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The sessions of the guide, typed as they stand there, print the answers that stand there. */
class GuideSessionTest {

    private static final Pattern SESSION = Pattern.compile("```console\n(.*?)```", Pattern.DOTALL);
    private static final String PROMPT = "$ larder ";

    @TempDir
    Path directory;

    @Test
    void answersAsTheGuideSays() throws IOException {
        String page = Files.readString(Path.of("..", "docs", "guide", "map.md"));
        List<String> sessions =
                SESSION.matcher(page).results().map(match -> match.group(1)).toList();
        assertThat(sessions).isNotEmpty();
        sessions.forEach(this::type);
    }

    private void type(String session) {
        for (String step : session.split("(?m)^(?=\\$ )", -1)) {
            if (step.startsWith(PROMPT)) {
                String command = step.lines().findFirst().orElseThrow().substring(PROMPT.length());
                String answer = step.substring(step.indexOf('\n') + 1);
                assertThat(larder(command)).as(command).isEqualTo(answer);
            }
        }
    }

    /** Returns the output of a command. It returns nothing for the creation of a map, which has an identity of its own. */
    private String larder(String command) {
        String[] words =
                command.replaceFirst(" stock", " " + directory.resolve("stock")).split(" ", -1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Answer stream = new Answer(out);
        Larder.execute(new Streams(InputStream.nullInputStream(), stream, stream, false), words);
        return command.startsWith("map create") ? "" : out.toString(StandardCharsets.UTF_8);
    }
}

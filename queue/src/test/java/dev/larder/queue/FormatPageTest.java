package dev.larder.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.larder.codec.SchemaType;
import dev.larder.codec.schema.SchemaFile;
import dev.larder.memory.LayoutTable;
import java.io.IOException;
import java.lang.foreign.StructLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Compares the statements on schemas in {@code docs/formats/queue.md} with the code. */
final class FormatPageTest {

    private static final Path PAGE =
            Path.of("../docs/formats/queue.md").toAbsolutePath().normalize();

    @Test
    void tablesAreThoseOfTheLayouts() {
        assertThat(PAGE)
                .content()
                .contains(table("schema header", SchemaFile.LAYOUT))
                .contains(table("copy place", CopyPlace.LAYOUT));
    }

    private static String table(String name, StructLayout layout) {
        return "<!-- table: " + name + " -->\n" + LayoutTable.markdown(layout) + "<!-- end -->";
    }

    @Test
    void namesEveryType() throws IOException {
        List<String> named = Pattern.compile("`(\\w+)(?: \\w+)*`")
                .matcher(Files.readString(PAGE))
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(named)
                .containsAll(Arrays.stream(SchemaType.Simple.values())
                        .map(Object::toString)
                        .toList());
        assertThat(named).contains("list", "map", "optional", "record", "enum");
    }
}

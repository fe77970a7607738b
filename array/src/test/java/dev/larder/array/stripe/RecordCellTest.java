package dev.larder.array.stripe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.CorruptException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text that entries replace, from one version to the next, although they come again after a crash. */
final class RecordCellTest {

    @TempDir
    private Path directory;

    private Path file = Path.of("");
    private final List<String> heard = new ArrayList<>();

    @BeforeEach
    void nameTheFile() {
        file = directory.resolve("0.record");
    }

    private RecordCell open() {
        RecordCell cell = new RecordCell(file);
        heard.clear();
        cell.listen(heard::add);
        return cell;
    }

    @Test
    void onlyTheVersionThatIsThereIsReplaced() {
        RecordCell cell = open();
        cell.apply(5, RecordCell.entry(0, "one"));
        cell.apply(6, RecordCell.entry(0, "another one"));
        cell.apply(7, RecordCell.entry(2, "too early"));
        cell.apply(8, RecordCell.entry(1, "two"));
        assertThat(heard).containsExactly("one", "two");
    }

    /** The second entry did nothing. If it came again behind the third, it would do something, and members would differ. */
    @Test
    void entriesThatComeAgainChangeNothing() {
        RecordCell cell = open();
        cell.apply(5, RecordCell.entry(0, "one"));
        cell.apply(6, RecordCell.entry(2, "refused"));
        cell.apply(7, RecordCell.entry(1, "two"));
        RecordCell again = open();
        assertThat(heard).containsExactly("two");
        again.apply(5, RecordCell.entry(0, "one"));
        again.apply(6, RecordCell.entry(2, "refused"));
        again.apply(7, RecordCell.entry(1, "two"));
        assertThat(heard).containsExactly("two");
        again.apply(8, RecordCell.entry(2, "three"));
        assertThat(heard).containsExactly("two", "three");
    }

    @Test
    void damageIsTold() throws IOException {
        open().apply(5, RecordCell.entry(0, "one"));
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length - 1] ^= 1;
        Files.write(file, bytes);
        assertThatThrownBy(this::open).isInstanceOf(CorruptException.class).hasMessageContaining(file + " is damaged");
    }
}

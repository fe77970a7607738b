package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.memory.LarderException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FiguresTest {

    @Test
    void comeBackFromJsonAsTheyWere() {
        Figures figures = new Figures()
                .put("text", "a \"quoted\" line\n")
                .put("whole", 1L << 40)
                .put("fraction", 1.5)
                .put("flag", true)
                .put("nothing", null)
                .put("part", new Figures().put("x", 1))
                .put("map", Map.of("y", 2))
                .put("rows", List.of(new Figures().put("z", 3)));
        Figures back = Figures.parse(figures.toJson());
        assertThat(back).isEqualTo(figures);
        assertThat(Figures.parse(figures.toPrettyJson())).isEqualTo(figures);
        assertThat(back.has("nothing")).isTrue();
        assertThat(back.part("map").whole("y")).isEqualTo(2);
        assertThat(back.rows("rows").getFirst().whole("z")).isEqualTo(3);
    }

    @Test
    void keepNumbersThatJsonCannotSayAsNull() {
        assertThat(new Figures().put("ratio", Double.NaN).toJson()).isEqualTo("{\"ratio\":null}");
    }

    @Test
    void nameWhatIsMissing() {
        assertThatThrownBy(() -> new Figures().put("a", 1).whole("b"))
                .isInstanceOf(LarderException.class)
                .hasMessageContaining("'b'");
        assertThatThrownBy(() -> Figures.parse("no json")).isInstanceOf(LarderException.class);
    }
}

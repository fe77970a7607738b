package dev.larder.lab.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {

    enum Colour {
        RED,
        DARK_BLUE
    }

    record Extra(@Setting("--depth COUNT=3 [1..9] How deep") int depth) {}

    record Group(
            @Setting("--block SIZE=4KiB,4MiB [1KiB..1GiB] Sizes")
            List<Long> blockBytes,

            @Setting("--total SIZE=2x--limit {--limit=none: 7MiB} All")
            long totalBytes) {}

    record Options(
            Group group,

            @Setting("--limit SIZE=1MiB|8KiB Most") @Nullable
            Long limitBytes,

            @Setting("--wait TIME=2s [1ms..1m] Idle") Duration idle,

            @Setting("--warm-up TIME=1500ms Before") double warmUpSeconds,

            @Setting("--rate RATE=10k Requests") double ratePerSecond,

            @Setting("--colour NAME=red Paint") Colour colour,

            @Setting("--share NUMBER=1.5 [0..2] Part") double share,

            @Setting("--no-fill Nothing first") boolean fill,

            @Setting("--extra More") @Nullable Extra extra,

            @Setting("--corpus FILE Text") @Nullable Path corpus,

            @Setting("--directory DIRECTORY Where") @Nullable
            Path directory,

            @Setting("--seed SEED=1 Of everything random") long seed) {}

    private static Options parsed(String... arguments) {
        return Settings.parse(Options.class, arguments);
    }

    @Test
    void takesDefaultsWhereNothingIsGiven() {
        Options options = parsed();
        assertThat(options.group()).isEqualTo(new Group(List.of(4096L, 4L << 20), 2 << 20));
        assertThat(options.idle()).isEqualTo(Duration.ofSeconds(2));
        assertThat(options.warmUpSeconds()).isEqualTo(1.5);
        assertThat(options.fill()).isTrue();
        assertThat(options.extra()).isNull();
        assertThat(options.corpus()).isNull();
    }

    @Test
    void takesOthersForAQuickRunAndUnderConditions() {
        assertThat(parsed("--quick").limitBytes()).isEqualTo(8192);
        assertThat(parsed("--quick").group().totalBytes()).isEqualTo(2 * 8192);
        assertThat(parsed("--limit", "none").limitBytes()).isNull();
        assertThat(parsed("--limit", "none").group().totalBytes()).isEqualTo(7 << 20);
    }

    @Test
    void takesWhatIsGiven() {
        Options options =
                parsed("--block", "1KiB,2KiB", "--colour", "Dark_Blue", "--no-fill", "--extra", "--depth", "5");
        assertThat(options.group().blockBytes()).containsExactly(1024L, 2048L);
        assertThat(options.colour()).isEqualTo(Colour.DARK_BLUE);
        assertThat(options.fill()).isFalse();
        assertThat(options.extra()).isEqualTo(new Extra(5));
    }

    @Test
    void refusesWithTheOptionTheValueAndWhatIsAccepted() {
        assertThatThrownBy(() -> parsed("--block", "4KiB,512")).hasMessage("--block 512 B is not from 1KiB to 1GiB");
        assertThatThrownBy(() -> parsed("--extra", "--depth", "10")).hasMessage("--depth 10 is not from 1 to 9");
        for (String number : List.of("NaN", "Infinity", "-Infinity")) {
            assertThatThrownBy(() -> parsed("--share", number))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("--share: not a number: '" + number + "'");
        }
        assertThatThrownBy(() -> parsed("--wait", "0s")).hasMessage("--wait PT0S is not from 1ms to 1m");
        assertThatThrownBy(() -> parsed("--wait", "soon")).hasMessageContaining("--wait: not a length of time: 'soon'");
        assertThatThrownBy(() -> parsed("--colour", "mauve"))
                .hasMessage("--colour: 'mauve' is not one of [red, dark_blue]");
        Map<String, List<String>> twice = Map.of("--wait", List.of("1s", "3s"));
        assertThatThrownBy(() -> Settings.of(Options.class, twice))
                .hasMessage("--wait: has one value, found 1s and 3s");
    }

    @Test
    void tellsWhatConcernsTheResult() {
        assertThat(Settings.figures(parsed("--corpus", "/home/me/dump.xml", "--directory", "/secret"))
                        .toJson())
                .isEqualTo("{\"block_bytes\":[4096,4194304],\"total_bytes\":2097152,\"limit_bytes\":1048576,"
                        + "\"idle_ms\":2000.0,\"warm_up_seconds\":1.5,\"rate_per_s\":10000.0,\"colour\":\"red\","
                        + "\"share\":1.5,"
                        + "\"fill\":true,\"corpus\":\"dump.xml\"}");
    }

    @Test
    void tellsFilesOfTheSameNameApart(@TempDir Path folder) throws IOException {
        Path one = Files.writeString(Files.createDirectory(folder.resolve("a")).resolve("trace"), "1");
        Path other =
                Files.writeString(Files.createDirectory(folder.resolve("b")).resolve("trace"), "12");
        Figures before = Settings.files(parsed("--corpus", one.toString()));
        assertThat(before.part("corpus").whole("bytes")).isEqualTo(1);
        assertThat(Settings.files(parsed("--corpus", other.toString()))).isNotEqualTo(before);
        assertThat(Settings.files(parsed("--corpus", one.toString()))).isEqualTo(before);
        Files.setLastModifiedTime(one, FileTime.fromMillis(1));
        assertThat(Settings.files(parsed("--corpus", one.toString()))).isNotEqualTo(before);
        assertThat(Settings.files(parsed("--corpus", folder.toString()))
                        .part("corpus")
                        .whole("bytes"))
                .isEqualTo(3);
        assertThat(Settings.files(parsed())).isEqualTo(new Figures());
        assertThat(Settings.files(parsed("--corpus", folder.resolve("none").toString()))
                        .toJson())
                .isEqualTo("{\"corpus\":{}}");
    }
}

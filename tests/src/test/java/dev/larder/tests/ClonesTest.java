package dev.larder.tests;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import net.sourceforge.pmd.cpd.CPDConfiguration;
import net.sourceforge.pmd.cpd.CpdAnalysis;
import net.sourceforge.pmd.cpd.Match;
import net.sourceforge.pmd.lang.LanguageRegistry;
import net.sourceforge.pmd.lang.java.JavaLanguageModule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** No eight lines occur twice in the lab; without this rule each experiment would repeat the others. */
class ClonesTest {

    private static final Path ROOT = Path.of(System.getProperty("larder.root"));
    private static final int LINES = 8;

    /** Eight lines with fewer words and signs are brackets and annotations. */
    private static final int TOKENS = 35;

    private static List<String> clones(Path sources) throws IOException {
        CPDConfiguration configuration =
                new CPDConfiguration(LanguageRegistry.singleton(JavaLanguageModule.getInstance()));
        configuration.setMinimumTileSize(TOKENS);
        configuration.setOnlyRecognizeLanguage(JavaLanguageModule.getInstance());
        configuration.addInputPath(sources);
        List<String> clones = new ArrayList<>();
        try (CpdAnalysis analysis = CpdAnalysis.create(configuration)) {
            analysis.performAnalysis(report -> report.getMatches().stream()
                    .filter(match -> match.getLineCount() >= LINES)
                    .map(ClonesTest::words)
                    .forEach(clones::add));
        }
        return clones;
    }

    private static String words(Match match) {
        return StreamSupport.stream(match.spliterator(), false)
                .map(mark -> mark.getLocation().getFileId().getFileName() + ":"
                        + mark.getLocation().getStartLine())
                .collect(Collectors.joining(", ", match.getLineCount() + " lines: ", ""));
    }

    @Test
    void noEightLinesStandTwiceInTheLab() throws IOException {
        assertThat(clones(ROOT.resolve("lab/src"))).isEmpty();
    }

    /** A control of the detector. */
    @Test
    void twoOfTheSameAreFound(@TempDir Path sources) throws IOException {
        String method = """
            class NAME {
                int sum(int[] values) {
                    int sum = 0;
                    for (int value : values) {
                        if (value > 0) {
                            sum += value;
                        }
                    }
                    return sum;
                }
            }
            """;
        Files.writeString(sources.resolve("One.java"), method.replace("NAME", "One"));
        Files.writeString(sources.resolve("Other.java"), method.replace("NAME", "Other"));
        assertThat(clones(sources)).singleElement().asString().contains("One.java:1", "Other.java:1");
    }
}

package dev.larder.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.larder.cli.Figures;
import dev.larder.lab.result.LabException;
import dev.larder.lab.result.ResultFolder;
import dev.larder.lab.run.Matrix;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The order of measurements, and their results. */
class MatrixTest {

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final Interruption interruption = new Interruption();
    private final List<String> order = new ArrayList<>();

    @TempDir
    Path directory;

    @AfterEach
    void end() {
        interruption.close();
    }

    private Matrix<String, Integer> matrix(String... subjects) {
        PrintStream stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        RunContext context = new RunContext(
                new ResultFolder(directory), directory, new Progress(stream, false), interruption, List.of());
        return new Matrix<>(context, List.of(subjects), List.of(1, 2), this::measure);
    }

    private Figures measure(String subject, int parameter, int round) {
        order.add(subject + parameter + "@" + round);
        return new Figures().put("subject", subject).put("parameter", parameter).put("round", round);
    }

    @Test
    void subjectsTakeTurnsAndEachRoundBeginsWithAnother() {
        Matrix<String, Integer> matrix = matrix("a", "b").rounds(1, 2);
        matrix.run();
        assertThat(String.join(" ", order))
                .isEqualTo("b1@-1 a1@-1 b2@-1 a2@-1 a1@0 b1@0 a2@0 b2@0 b1@1 a1@1 b2@1 a2@1");
        assertThat(matrix.samples()).hasSize(8).noneMatch(sample -> sample.whole("round") < 0);
        assertThat(said.toString(StandardCharsets.UTF_8)).contains("12/12  a, 2");
    }

    /** What begins a parameter starts processes, which an interruption ends at once. */
    @Test
    void noParameterBeginsAfterAnInterruption() throws InterruptedException {
        Thread signal = Thread.ofPlatform().unstarted(interruption::interrupt);
        Matrix<String, Integer> matrix = matrix("a").rounds(0, 2).byParameter(parameter -> {
            order.add("begin" + parameter);
            signal.start();
            Awaitility.await().until(interruption::isInterrupted);
            return () -> order.add("end" + parameter);
        });
        matrix.run();
        assertThat(order).containsExactly("begin1", "end1");
        interruption.close();
        signal.join();
    }

    @Test
    void roundsOfOneParameterMayComeBeforeTheNext() {
        Matrix<String, Integer> matrix = matrix("a")
                .rounds(0, 2)
                .byParameter(parameter -> {
                    order.add("begin" + parameter);
                    return () -> order.add("end" + parameter);
                })
                .where((subject, parameter) -> parameter != 2 || subject.equals("b"));
        matrix.run();
        assertThat(order).containsExactly("begin1", "a1@0", "a1@1", "end1", "begin2", "end2");
    }

    @Test
    void samplesAreKeptWithWhatWasMeasuredBesideThem() throws IOException {
        Matrix<String, Integer> matrix =
                matrix("a", "b").beside(own -> own.forEach(sample -> sample.put("beside", own.size())));
        matrix.run();
        assertThat(matrix.samples()).hasSize(4).allMatch(sample -> sample.whole("beside") == 2);
        assertThat(Files.readAllLines(directory.resolve("samples.jsonl")))
                .hasSize(4)
                .allMatch(line -> line.contains("\"beside\":2"));
    }

    @Test
    void aSampleThatVoidsTheRunIsTheLast() {
        Matrix<String, Integer> matrix =
                matrix("a", "b").checked(sample -> sample.text("subject").equals("b") ? "b lies" : null);
        assertThatThrownBy(matrix::run).isInstanceOf(LabException.class).hasMessage("b lies");
        assertThat(order).containsExactly("a1@0", "b1@0");
        assertThat(matrix.samples()).hasSize(2);
    }
}

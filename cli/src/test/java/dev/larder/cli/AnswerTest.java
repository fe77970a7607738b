package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers that cannot be written, or that no reader reads to their end. */
class AnswerTest extends Shell {

    private static final int ENTRIES = 20_000;

    private String map = "";
    private String queue = "";

    @BeforeEach
    void fill() {
        map = directory.resolve("map").toString();
        queue = directory.resolve("queue").toString();
        String lines = IntStream.range(0, ENTRIES)
                .mapToObj(i -> "{\"key\":{\"text\":\"" + i + "\"},\"value\":{\"text\":\"value\"},\"text\":\"line\"}\n")
                .collect(Collectors.joining());
        assertThat(larder(lines, new ByteArrayOutputStream(), "map import M")).isZero();
        assertThat(larder(lines, new ByteArrayOutputStream(), "queue import Q")).isZero();
    }

    private int larder(String input, OutputStream out, String arguments) {
        String[] words = arguments.replace("M", map).replace("Q", queue).split(" ", -1);
        return larder(typed(input), out, words);
    }

    @ParameterizedTest
    @EnabledOnOs(OS.LINUX)
    @ValueSource(
            strings = {
                "map get M 7",
                "map get M 7 --json",
                "map get M none --json",
                "map put M 7 other",
                "map scan M",
                "map info M",
                "map export M",
                "map export M --binary",
                "queue tail Q",
                "queue info Q",
                "queue export Q",
                "queue export Q --binary",
                "map --help"
            })
    void saysThatTheAnswerCouldNotBeWritten(String arguments) throws IOException {
        try (OutputStream full = new FileOutputStream("/dev/full")) {
            assertThat(larder("", full, arguments)).isEqualTo(ExitCode.ERROR);
        }
        assertThat(err()).startsWith("larder: cannot write ").hasLineCount(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"map scan M", "map get M 7", "queue tail Q", "map info M"})
    void endsInSilenceWhenNobodyReadsOn(String arguments) {
        OutputStream closed = new FailingStream("Broken pipe", 0);
        assertThat(larder("", closed, arguments)).isZero();
        assertThat(err()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"map export M", "map export M --binary", "queue export Q", "queue export Q --binary"})
    void exportEndsEarlyWhereItCannotBeWritten(String arguments) {
        for (String reason : new String[] {"Broken pipe", "No space left on device"}) {
            FailingStream failing = new FailingStream(reason, 1 << 16);
            assertThat(larder("", failing, arguments)).isEqualTo(ExitCode.ERROR);
            boolean unread = reason.equals("Broken pipe");
            assertThat(err()).isEqualTo(unread ? "" : "larder: cannot write the export: " + reason + "\n");
            assertThat(failing.asked).isEqualTo(2);
        }
    }

    @Test
    void writesNothingAfterAFailure() {
        FailingStream failing = new FailingStream("first", 0);
        try (Answer answer = new Answer(failing)) {
            answer.print("one");
            assertThat(answer.failure()).map(IOException::getMessage).contains("first");
            failing.left = Integer.MAX_VALUE;
            answer.print("two");
            assertThat(answer.failure()).map(IOException::getMessage).contains("first");
            assertThatThrownBy(() -> answer.strict().flush()).hasMessage("first");
            assertThat(failing.asked).isEqualTo(1);
        }
    }

    /** Takes a given number of bytes, and then fails. */
    private static final class FailingStream extends OutputStream {

        private final String reason;
        private int left;
        private int asked;

        FailingStream(String reason, int left) {
            this.reason = reason;
            this.left = left;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] source, int offset, int length) throws IOException {
            asked++;
            left -= length;
            if (left < 0) {
                throw new IOException(reason);
            }
        }
    }

    /** A pipe that does not block can be full, and the answer is then incomplete for a reader that reads on. */
    @Test
    void aPipeFailsForOtherReasonsAsWell() {
        String reason = "Resource temporarily unavailable";
        assertThat(larder("", new FailingStream(reason, 0), "map scan M")).isEqualTo(ExitCode.ERROR);
        assertThat(err()).isEqualTo("larder: cannot write to the standard output: " + reason + "\n");
    }

    @Test
    void knowsWhetherTheSystemSpeaksEnglish() {
        assertThat(List.of(Locale.US, Locale.ENGLISH, Locale.ROOT)).allMatch(Streams::isEnglish);
        assertThat(List.of(Locale.FRANCE, Locale.GERMAN)).noneMatch(Streams::isEnglish);
    }

    /** The reason may be in words of any language. */
    @Test
    void knowsThatAPipeHasNoReaderWhateverTheReason() {
        for (String reason : new String[] {"Relais bris\u00e9", "Die Pipe wird gerade geschlossen"}) {
            try (Answer answer = new Answer(new FailingStream(reason, 0), true)) {
                answer.print("one");
                assertThat(answer.isUnread()).as(reason).isTrue();
            }
        }
        try (Answer answer = new Answer(new FailingStream("Die Pipe wird gerade geschlossen", 0), false)) {
            answer.print("one");
            assertThat(answer.isUnread()).isTrue();
        }
        try (Answer answer = new Answer(new FailingStream("No space left on device", 0), false)) {
            answer.print("one");
            assertThat(answer.isUnread()).isFalse();
        }
    }
}

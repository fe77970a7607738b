package dev.larder.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.junit.jupiter.api.Test;

/** Reasons of failures whose messages are only a path, or nothing. */
class FailureReasonTest {

    @Test
    void saysMoreThanThePath() {
        assertThat(FailureReason.of(new AccessDeniedException("a"))).isEqualTo("a: permission denied");
        assertThat(FailureReason.of(new NoSuchFileException("a"))).isEqualTo("a: no such file or directory");
        assertThat(FailureReason.of(new NotDirectoryException("a"))).isEqualTo("a: it is not a directory");
        assertThat(FailureReason.of(new FileSystemException("a"))).isEqualTo("a: FileSystemException");
        assertThat(FailureReason.of(new FileSystemException("a", null, "Is a directory")))
                .isEqualTo("a: Is a directory");
        assertThat(FailureReason.withoutPath(new AccessDeniedException("a"))).isEqualTo("permission denied");
    }

    @Test
    void keepsOtherMessages() {
        assertThat(FailureReason.of(new IOException("Broken pipe"))).isEqualTo("Broken pipe");
        assertThat(FailureReason.of(new EOFException())).isEqualTo("java.io.EOFException");
    }
}

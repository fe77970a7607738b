package dev.larder.queue.connection;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** A file with a secret that both sides have: one line of at least 32 bytes. */
final class SecretFile {

    private static final int LEAST_BYTES = 32;

    private SecretFile() {}

    /**
     * Returns the secret of a file, without the end of its line.
     *
     * @throws IllegalArgumentException if the secret is too short to withstand guessing
     */
    static byte[] read(Path file) {
        String text = new String(PemFiles.read(file), StandardCharsets.ISO_8859_1).strip();
        if (text.length() < LEAST_BYTES) {
            throw new IllegalArgumentException(file + ": the secret has " + text.length() + " bytes; it needs at least "
                    + LEAST_BYTES + " random ones, as from 'openssl rand -hex 32'");
        }
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }
}

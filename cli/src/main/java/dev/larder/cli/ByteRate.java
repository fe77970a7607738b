package dev.larder.cli;

/**
 * A rate in bytes per second given on the command line, such as {@code 50MiB} or {@code 50MiB/s}.
 *
 * @param bytesPerSecond the bytes per second
 */
public record ByteRate(long bytesPerSecond) {

    private static final String A_SECOND = "/s";

    public static ByteRate parse(String text) {
        String size = text.strip();
        return new ByteRate(
                ByteSize.parse(size.endsWith(A_SECOND) ? size.substring(0, size.length() - A_SECOND.length()) : size));
    }
}

package dev.larder.tests.support;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A file as text, for the folder {@code formats}: its size, and its bytes in lines of 16, without lines of zeros.
 *
 * <pre>
 * size 2097152
 * # comment
 * 00000000  89 4c 52 44 0d 0a 1a 0a 4c 4f 47 53 45 47 20 20
 * </pre>
 */
public final class GoldenFile {

    private static final int LINE_BYTES = 16;
    private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

    private GoldenFile() {}

    /** Returns a file as text; each comment stands before the line that contains its offset. */
    public static String text(byte[] file, Map<Long, String> comments) {
        StringBuilder text = new StringBuilder("size " + file.length + "\n");
        for (int at = 0; at < file.length; at += LINE_BYTES) {
            for (int offset = at; offset < at + LINE_BYTES; offset++) {
                String comment = comments.get((long) offset);
                if (comment != null) {
                    text.append("# ").append(comment).append('\n');
                }
            }
            byte[] line = Arrays.copyOfRange(file, at, Math.min(at + LINE_BYTES, file.length));
            if (!Arrays.equals(line, new byte[line.length])) {
                text.append(String.format(Locale.ROOT, "%08x  %s\n", at, HEX.formatHex(line)));
            }
        }
        return text.toString();
    }

    /** Writes the file that a text describes. */
    public static void write(String text, Path to) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(to.toFile(), "rw")) {
            for (String line : text.lines().toList()) {
                if (line.startsWith("size ")) {
                    file.setLength(Long.parseLong(line.substring(5)));
                } else if (!line.isBlank() && !line.startsWith("#")) {
                    file.seek(Long.parseLong(line.substring(0, 8), 16));
                    file.write(HEX.parseHex(line.substring(10)));
                }
            }
        }
    }

    /**
     * Restores the files that a folder of {@code formats} describes: its own {@code *.hex}, or those of the good folder that it
     * is made {@code of}, and then its changes.
     */
    public static void restore(Path golden, Path to) throws IOException {
        Path changes = golden.resolve("changes");
        Files.createDirectories(to);
        if (Files.exists(changes)) {
            String first = Files.readAllLines(changes).getFirst();
            restore(golden.resolveSibling(first.substring("of ".length())), to);
            change(Files.readString(changes), to);
            return;
        }
        try (Stream<Path> files = Files.list(golden)) {
            for (Path file :
                    files.filter(path -> path.toString().endsWith(".hex")).toList()) {
                String name = String.valueOf(file.getFileName());
                write(Files.readString(file), to.resolve(name.substring(0, name.length() - 4)));
            }
        }
    }

    /** Makes the changes of a text to the files of a directory: {@code set}, {@code truncate} and {@code delete}. */
    public static void change(String text, Path directory) throws IOException {
        for (String line : text.lines().toList()) {
            String[] words = line.split(" ", 4);
            switch (words[0]) {
                case "set" -> set(directory.resolve(words[1]), Long.parseLong(words[2], 16), HEX.parseHex(words[3]));
                case "truncate" -> truncate(directory.resolve(words[1]), Long.parseLong(words[2]));
                case "delete" -> Files.delete(directory.resolve(words[1]));
                default -> requireKnown(line);
            }
        }
    }

    private static void requireKnown(String line) {
        if (!line.isBlank() && !line.startsWith("#") && !line.startsWith("of ")) {
            throw new IllegalArgumentException("not a change: " + line);
        }
    }

    private static void set(Path path, long offset, byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.seek(offset);
            file.write(bytes);
        }
    }

    private static void truncate(Path path, long size) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(size);
        }
    }
}

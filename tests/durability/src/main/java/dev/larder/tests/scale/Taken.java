package dev.larder.tests.scale;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The system resources that this process holds, as Linux reports them.
 *
 * @param mappings of the whole process
 * @param ownMappings of files of a directory
 * @param descriptors of the whole process
 * @param ownDescriptors of files of a directory
 * @param virtualBytes all that the process has mapped
 */
record Taken(long mappings, long ownMappings, long descriptors, long ownDescriptors, long virtualBytes) {

    private static final Path SELF = Path.of("/proc/self");

    static Taken now(Path directory) {
        Predicate<String> own = line -> line.contains(directory.toString());
        List<String> maps = lines("maps");
        List<String> open = open();
        return new Taken(
                maps.size(),
                maps.stream().filter(own).count(),
                open.size(),
                open.stream().filter(own).count(),
                virtual());
    }

    private static List<String> lines(String name) {
        try {
            return Files.readAllLines(SELF.resolve(name));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> open() {
        try (Stream<Path> open = Files.list(SELF.resolve("fd"))) {
            return open.map(Taken::target).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException e) {
            return ""; // closed meanwhile
        }
    }

    private static long virtual() {
        String line = lines("status").stream()
                .filter(text -> text.startsWith("VmSize:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(line.replaceAll("\\D", "")) << 10;
    }

    /** Returns the values as {@code name=value} words. */
    String words() {
        return "mappings=" + mappings + " ownMappings=" + ownMappings + " descriptors=" + descriptors
                + " ownDescriptors=" + ownDescriptors + " virtualBytes=" + virtualBytes;
    }
}

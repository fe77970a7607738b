package dev.larder.lucene;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** An order of index files by how often queries touch them, guessed from their extensions before any file was read. */
final class FileHeat {

    /**
     * From the hottest: small tables, dictionaries, points, norms, doc values, postings, vectors; unknown; stored fields.
     */
    private static final List<String> HOT = List.of(
            "si", "fnm", "tip", "tmd", "tim", "kdi", "kdm", "kdd", "nvm", "nvd", "dvm", "dvd", "doc", "psm", "pos",
            "pay", "vem", "vex", "vemf", "vec", "vemq", "veq", "vemb", "veb");

    private static final List<String> COLD = List.of("fdm", "fdx", "fdt", "tvm", "tvx", "tvd", "tmp");

    private FileHeat() {}

    static List<String> hottestFirst(String[] names) {
        return Arrays.stream(names)
                .sorted(Comparator.comparingInt(FileHeat::place).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static int place(String name) {
        String extension = name.substring(name.lastIndexOf('.') + 1);
        if (name.startsWith("segments")) {
            return -1;
        }
        int hot = HOT.indexOf(extension);
        return hot >= 0 ? hot : HOT.size() + 1 + COLD.indexOf(extension);
    }
}

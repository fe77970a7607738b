package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Detects the content of a path, by its bytes and not by its name.
 *
 * <pre>
 * none                         the sources of the running JDK, lib/src.zip
 * a folder                     a document per file
 * a file that begins with PK   a document per file of the archive
 * 1F 8B 08, or BZh             its packed content: one of the two below
 * &lt;                            a dump of MediaWiki
 * anything else                a document per line: title TAB body
 * </pre>
 */
public final class Corpora {

    private Corpora() {}

    /**
     * Opens a corpus.
     *
     * @param path of it; null for the sources of the running JDK
     * @throws LabException if there is none, naming the searched place
     */
    public static Corpus open(@Nullable Path path) throws IOException {
        if (path == null) {
            return ofJdk(Path.of(System.getProperty("java.home")));
        }
        if (Files.isDirectory(path)) {
            return FolderCorpus.of(path);
        }
        if (!Files.isRegularFile(path)) {
            throw new LabException("no corpus: " + path + " is neither a file nor a folder");
        }
        return ofFile(path);
    }

    /** Opens the sources of a JDK. */
    static Corpus ofJdk(Path home) throws IOException {
        Path archive = home.resolve("lib").resolve("src.zip");
        if (!Files.isRegularFile(archive)) {
            throw new LabException(
                    "no corpus: " + archive + " is not there; name a JDK's src.zip, a file of lines, a dump or a"
                            + " folder, or run on a JDK that has its sources");
        }
        return FolderCorpus.ofZip(archive);
    }

    private static Corpus ofFile(Path path) throws IOException {
        PackedFile file = new PackedFile(path);
        try {
            if (file.beginsWith('P') && isZip(path)) {
                file.close();
                return FolderCorpus.ofZip(path);
            }
            return file.beginsWith('<') ? new WikiCorpus(file) : new LinesCorpus(file);
        } catch (IOException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    private static boolean isZip(Path path) throws IOException {
        try (InputStream stream = Files.newInputStream(path)) {
            return Arrays.equals(stream.readNBytes(4), new byte[] {'P', 'K', 3, 4});
        }
    }
}

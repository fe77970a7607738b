package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.ProviderNotFoundException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * A document per file of a folder or of a zip file, with the folders in it, by name. It skips hidden files, links, files
 * without text, and files with a NUL, which are not text.
 */
final class FolderCorpus implements Corpus {

    private static final String JAVA = ".java";
    private static final Pattern MARGIN = Pattern.compile("(?m)^[ \\t]*\\*+(?![*/])");

    private final String name;
    private final Path folder;
    private final Closeable owner;
    private final Deque<Iterator<Path>> open = new ArrayDeque<>();
    private final BoundedText text = new BoundedText();

    private FolderCorpus(String name, Path folder, Closeable owner) throws IOException {
        this.name = name;
        this.folder = folder;
        this.owner = owner;
        open.push(entries(folder));
    }

    /** Opens a folder. */
    static Corpus of(Path folder) throws IOException {
        Path last = folder.toAbsolutePath().normalize().getFileName();
        return new FolderCorpus(last == null ? "root" : last.toString(), folder, () -> {});
    }

    /** Opens a zip file, such as a JDK's {@code src.zip}. */
    static Corpus ofZip(Path file) throws IOException {
        String name = file.getFileName().toString();
        try {
            FileSystem archive = FileSystems.newFileSystem(file);
            return new FolderCorpus(name, archive.getPath("/"), archive);
        } catch (ZipException | ProviderNotFoundException e) {
            throw new LabException(name + ": not a zip file that can be read: " + e.getMessage(), e);
        }
    }

    private static Iterator<Path> entries(Path folder) throws IOException {
        List<Path> entries = new ArrayList<>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            stream.forEach(entries::add);
        }
        entries.sort(Comparator.comparing(path -> path.getFileName().toString()));
        return entries.iterator();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable TextDocument next() throws IOException {
        TextDocument document = null;
        while (document == null && !open.isEmpty()) {
            Path entry = open.element().hasNext() ? open.element().next() : null;
            if (entry == null) {
                open.pop();
            } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS) && !isHidden(entry)) {
                open.push(entries(entry));
            } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS) && !isHidden(entry)) {
                document = read(entry);
            }
        }
        return document;
    }

    private static boolean isHidden(Path entry) {
        return entry.getFileName().toString().startsWith(".");
    }

    /** Returns a file's document; null if it has no text. */
    private @Nullable TextDocument read(Path file) throws IOException {
        String title = folder.relativize(file).toString().replace('\\', '/');
        text.begin(title);
        try (Reader reader = new InputStreamReader(Files.newInputStream(file), StandardCharsets.UTF_8)) {
            text.appendAll(reader);
        } catch (ZipException e) {
            throw new LabException(name + ": entry " + title + " cannot be read: " + e.getMessage(), e);
        }
        String body = text.toString();
        boolean isText = !body.isBlank() && body.indexOf('\0') < 0;
        return isText ? new TextDocument(title, title.endsWith(JAVA) ? wordsOf(body) : body) : null;
    }

    /**
     * Removes parts without a reader: a licence in the first comment, and the asterisks before the lines of comments. With
     * the licence, every file would have the same hundred words.
     */
    private static String wordsOf(String source) {
        int end = source.indexOf("*/");
        boolean licence =
                end > 0 && source.startsWith("/*") && source.substring(0, end).contains("Copyright");
        return MARGIN.matcher(licence ? source.substring(end + 2) : source).replaceAll("");
    }

    @Override
    public void close() throws IOException {
        owner.close();
    }
}

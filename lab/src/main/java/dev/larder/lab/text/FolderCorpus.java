package dev.larder.lab.text;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A document a file, of a folder and the folders in it, by name. Hidden files, links, and files with a NUL, which are no
 * text, are passed over.
 */
final class FolderCorpus implements Corpus {

    private final Path folder;
    private final Deque<Iterator<Path>> open = new ArrayDeque<>();
    private final TextFiles files = new TextFiles();

    FolderCorpus(Path folder) throws IOException {
        this.folder = folder;
        open.push(entries(folder));
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
        Path name = folder.toAbsolutePath().normalize().getFileName();
        return name == null ? "root" : name.toString();
    }

    @Override
    public @Nullable TextDocument next() throws IOException {
        for (Path file = nextFile(); file != null; file = nextFile()) {
            TextDocument document = read(file);
            if (document != null) {
                return document;
            }
        }
        return null;
    }

    private @Nullable Path nextFile() throws IOException {
        while (!open.isEmpty()) {
            if (!open.element().hasNext()) {
                open.pop();
                continue;
            }
            Path entry = open.element().next();
            if (entry.getFileName().toString().startsWith(".")) {
                files.passOver();
            } else if (Files.isDirectory(entry, LinkOption.NOFOLLOW_LINKS)) {
                open.push(entries(entry));
            } else if (Files.isRegularFile(entry, LinkOption.NOFOLLOW_LINKS)) {
                return entry;
            } else {
                files.passOver();
            }
        }
        return null;
    }

    private @Nullable TextDocument read(Path file) throws IOException {
        String title = folder.relativize(file).toString().replace('\\', '/');
        try (InputStream stream = Files.newInputStream(file)) {
            return files.read(title, stream);
        }
    }

    @Override
    public long replaced() {
        return files.replaced();
    }

    @Override
    public long passedOver() {
        return files.passedOver();
    }

    @Override
    public void close() {
        open.clear();
    }
}

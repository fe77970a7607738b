package dev.larder.lab.text;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/** A document an entry of a zip file, such as a JDK's {@code src.zip}, in the order of its directory. */
final class ArchiveCorpus implements Corpus {

    private final String name;
    private final ZipFile archive;
    private final Enumeration<? extends ZipEntry> entries;
    private final TextFiles files = new TextFiles();

    ArchiveCorpus(Path file) throws IOException {
        name = file.getFileName().toString();
        try {
            archive = new ZipFile(file.toFile());
        } catch (ZipException e) {
            throw new LabException(name + ": not a zip file that can be read: " + e.getMessage(), e);
        }
        entries = archive.entries();
    }

    /** Tells whether a file begins as zip files do. */
    static boolean recognises(Path file) throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] first = stream.readNBytes(4);
            return first.length == 4 && first[0] == 'P' && first[1] == 'K' && first[2] == 3 && first[3] == 4;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public @Nullable TextDocument next() throws IOException {
        while (entries.hasMoreElements()) {
            ZipEntry entry = entries.nextElement();
            TextDocument document = entry.isDirectory() ? null : read(entry);
            if (document != null) {
                return document;
            }
        }
        return null;
    }

    private @Nullable TextDocument read(ZipEntry entry) throws IOException {
        try (InputStream stream = archive.getInputStream(entry)) {
            return files.read(entry.getName(), stream);
        } catch (ZipException e) {
            throw new LabException(name + ": entry " + entry.getName() + " cannot be read: " + e.getMessage(), e);
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
    public void close() throws IOException {
        archive.close();
    }
}

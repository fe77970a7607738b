package dev.larder.lab.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/** Corpora for tests: methods that write them packed or plain, and read them to the end. */
final class CorpusFiles {

    private CorpusFiles() {}

    static byte[] gzip(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new GZIPOutputStream(bytes)) {
            packed.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    static byte[] bzip2(String text) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream packed = new BZip2CompressorOutputStream(bytes)) {
            packed.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    static byte[] joined(byte[]... parts) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.write(part);
        }
        return bytes.toByteArray();
    }

    /** Writes a zip file; names and texts alternate. */
    static Path zip(Path file, String... namesAndTexts) throws IOException {
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (int at = 0; at < namesAndTexts.length; at += 2) {
                zip.putNextEntry(new ZipEntry(namesAndTexts[at]));
                zip.write(namesAndTexts[at + 1].getBytes(UTF_8));
            }
        }
        return file;
    }

    static List<TextDocument> all(Corpus corpus) throws IOException {
        List<TextDocument> documents = new ArrayList<>();
        try (corpus) {
            for (TextDocument next = corpus.next(); next != null; next = corpus.next()) {
                documents.add(next);
            }
        }
        return documents;
    }

    static List<TextDocument> all(Path path) throws IOException {
        return all(Corpora.open(path));
    }
}

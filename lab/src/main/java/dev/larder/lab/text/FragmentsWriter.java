package dev.larder.lab.text;

import static dev.larder.lab.text.FragmentsLayout.AT_DIGEST;
import static dev.larder.lab.text.FragmentsLayout.AT_MAGIC;
import static dev.larder.lab.text.FragmentsLayout.AT_TEXT;
import static dev.larder.lab.text.FragmentsLayout.AT_TEXT_BYTES;
import static dev.larder.lab.text.FragmentsLayout.AT_VERSION;
import static dev.larder.lab.text.FragmentsLayout.AT_WORDS;
import static dev.larder.lab.text.FragmentsLayout.RECORD_END;
import static dev.larder.lab.text.FragmentsLayout.WORDS_AN_OFFSET;
import static dev.larder.lab.text.FragmentsLayout.WORD_END;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** Writes the words of a corpus as they come; only the offsets of every 16th word are in memory. */
final class FragmentsWriter {

    /** Of a word. What is longer is none, but data, or an address. */
    static final int LONGEST_WORD = 256;

    private static final int FEWEST_WORDS = 100;
    private static final long LEAST_BYTES = 1 << 10;

    private final FileChannel channel;
    private final long mostBytes;
    private final MessageDigest digest = sha256();
    private final ByteBuffer pending = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
    private int[] offsets = new int[1 << 10];
    private long words;
    private long textBytes;
    private boolean inRecord;

    private FragmentsWriter(FileChannel channel, long mostBytes) {
        this.channel = channel;
        this.mostBytes = mostBytes;
    }

    static void write(Corpus corpus, long mostBytes, Path path) throws IOException {
        if (mostBytes < LEAST_BYTES || mostBytes > Fragments.MOST_BYTES) {
            throw new IllegalArgumentException(
                    "words of " + mostBytes + " bytes are not from 1 KiB to " + ByteSize.format(Fragments.MOST_BYTES));
        }
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try {
            writePart(corpus, mostBytes, part);
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    private static void writePart(Corpus corpus, long mostBytes, Path part) throws IOException {
        try (FileChannel channel = FileChannel.open(
                part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            new FragmentsWriter(channel, mostBytes).write(corpus);
            channel.force(true);
        }
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    private void write(Corpus corpus) throws IOException {
        channel.position(AT_TEXT);
        for (TextDocument document = corpus.next(); document != null; document = corpus.next()) {
            if (!takeRecord(document.body())) {
                break;
            }
        }
        checkEnough(corpus);
        writeOffsets();
        writeHead();
    }

    private void checkEnough(Corpus corpus) {
        if (words < FEWEST_WORDS) {
            throw new LabException(
                    corpus.name() + ": " + words + " words, too few for documents; at least " + FEWEST_WORDS);
        }
    }

    /** Takes the words of a record; returns false when there is no room for more. */
    private boolean takeRecord(String body) throws IOException {
        inRecord = false;
        boolean room = true;
        int at = 0;
        while (room && at < body.length()) {
            int end = at;
            while (end < body.length() && !isSeparator(body.charAt(end))) {
                end++;
            }
            room = end == at || takeWord(body.substring(at, end));
            at = end + 1;
        }
        if (inRecord) {
            put(RECORD_END);
        }
        return room;
    }

    private static boolean isSeparator(char character) {
        return character <= ' '
                || Character.isWhitespace(character)
                || Character.isSpaceChar(character)
                || Character.isISOControl(character);
    }

    private boolean takeWord(String word) throws IOException {
        byte[] bytes = word.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > LONGEST_WORD) {
            return true;
        }
        if (textBytes + bytes.length + 2 > mostBytes) {
            return false;
        }
        if (inRecord) {
            put(WORD_END);
        }
        noteOffset();
        put(bytes);
        inRecord = true;
        return true;
    }

    private void noteOffset() {
        int at = (int) (words / WORDS_AN_OFFSET);
        if (words % WORDS_AN_OFFSET == 0) {
            offsets = at == offsets.length ? Arrays.copyOf(offsets, 2 * at) : offsets;
            offsets[at] = (int) textBytes;
        }
        words++;
    }

    private void put(byte... bytes) throws IOException {
        textBytes += bytes.length;
        reserve(bytes.length);
        pending.put(bytes);
    }

    private void writeOffsets() throws IOException {
        for (int at = 0; at < FragmentsLayout.offsets(words); at++) {
            reserve(Integer.BYTES);
            pending.putInt(offsets[at]);
        }
        flush();
    }

    private void reserve(int length) throws IOException {
        if (pending.remaining() < length) {
            flush();
        }
    }

    private void flush() throws IOException {
        pending.flip();
        digest.update(pending.duplicate());
        while (pending.hasRemaining()) {
            channel.write(pending);
        }
        pending.clear();
    }

    private void writeHead() throws IOException {
        ByteBuffer head = ByteBuffer.allocate(AT_TEXT).order(ByteOrder.LITTLE_ENDIAN);
        head.putLong(AT_MAGIC, FragmentsLayout.MAGIC)
                .putInt(AT_VERSION, FragmentsLayout.VERSION)
                .putLong(AT_TEXT_BYTES, textBytes)
                .putLong(AT_WORDS, words)
                .put(AT_DIGEST, digest.digest());
        while (head.hasRemaining()) {
            channel.write(head, head.position());
        }
    }
}

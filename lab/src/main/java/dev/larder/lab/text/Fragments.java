package dev.larder.lab.text;

import dev.larder.cli.ByteSize;
import dev.larder.lab.result.LabException;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.LongStream;

/**
 * The words of a corpus, one after the other, outside the heap: no Strings, no mapping whose pages the system could evict.
 * Any number of threads may use it.
 *
 * <p>Bounded: the requested amount of a corpus's text from its beginning, up to {@link #MOST_BYTES}.
 *
 * <pre>
 * file     SHA-256 of the text, in hexadecimal digits, line feed, text
 * text     word " " word " " ... word line feed      a line for each record
 * </pre>
 */
public final class Fragments {

    /** The maximum bytes of text. */
    public static final long MOST_BYTES = 1L << 30;

    /** The bytes of a word; longer ones are data, or an address. */
    static final int LONGEST_WORD = 256;

    private static final byte WORD_END = ' ';
    private static final byte RECORD_END = '\n';

    /** The digest in hexadecimal digits, and the end of its line. */
    private static final int HEAD = 65;

    /** Words from one kept offset to the next: to find a word, a walk passes fewer than these. */
    private static final int WORDS_AN_OFFSET = 16;

    private static final int FEWEST_WORDS = 100;
    private static final long LEAST_BYTES = 1 << 10;
    private static final int READ_AT_ONCE = 1 << 24;

    private final MemorySegment text;
    private final MemorySegment offsets;
    private final long words;
    private final String fingerprint;

    private Fragments(MemorySegment text, String fingerprint) {
        this.text = text;
        this.fingerprint = fingerprint;
        words = LongStream.range(0, text.byteSize()).filter(this::isEnd).count();
        offsets = Arena.ofAuto().allocate(ValueLayout.JAVA_INT, 1 + words / WORDS_AN_OFFSET);
        long at = 0;
        for (long word = 0; word < words; word++) {
            if (word % WORDS_AN_OFFSET == 0) {
                offsets.setAtIndex(ValueLayout.JAVA_INT, word / WORDS_AN_OFFSET, (int) at);
            }
            at = wordEnd(at) + 1;
        }
    }

    /**
     * Keeps the words of a corpus in a file, from its beginning up to so many bytes of text, and loads them.
     *
     * @param corpus read to its end, or until there are enough words
     * @param mostBytes of kept text, 1 KiB to {@link #MOST_BYTES}
     * @param path of the file, which is replaced when the new one is complete
     * @throws LabException if the corpus has too few words for a document
     */
    public static Fragments keep(Corpus corpus, long mostBytes, Path path) throws IOException {
        if (mostBytes < LEAST_BYTES || mostBytes > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "words of " + mostBytes + " bytes are not from 1 KiB to " + ByteSize.format(MOST_BYTES));
        }
        Path part = path.resolveSibling(path.getFileName() + ".part");
        try {
            try (FileChannel channel = FileChannel.open(
                    part, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                write(corpus, mostBytes, channel);
            }
            Files.move(part, path, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        return open(path);
    }

    private static void write(Corpus corpus, long mostBytes, FileChannel channel) throws IOException {
        MessageDigest digest = sha256();
        channel.position(HEAD);
        OutputStream text =
                new BufferedOutputStream(new DigestOutputStream(Channels.newOutputStream(channel), digest), 1 << 16);
        long left = mostBytes;
        long words = 0;
        for (TextDocument document = corpus.next(); left > 0 && document != null; document = corpus.next()) {
            List<byte[]> record = words(document.body());
            int taken = 0;
            while (taken < record.size() && left > record.get(taken).length) {
                byte[] word = record.get(taken++);
                left -= word.length + 1;
                text.write(word);
                text.write(taken == record.size() || left <= record.get(taken).length ? RECORD_END : WORD_END);
            }
            words += taken;
            left = taken < record.size() ? 0 : left;
        }
        if (words < FEWEST_WORDS) {
            throw new LabException(
                    corpus.name() + ": " + words + " words, too few for documents; at least " + FEWEST_WORDS);
        }
        text.flush();
        String head = HexFormat.of().formatHex(digest.digest()) + "\n";
        channel.write(ByteBuffer.wrap(head.getBytes(StandardCharsets.US_ASCII)), 0);
        channel.force(true);
    }

    private static List<byte[]> words(String body) {
        List<byte[]> words = new ArrayList<>();
        int at = 0;
        while (at < body.length()) {
            int end = at;
            while (end < body.length() && !isSeparator(body.charAt(end))) {
                end++;
            }
            byte[] word = body.substring(at, end).getBytes(StandardCharsets.UTF_8);
            if (word.length > 0 && word.length <= LONGEST_WORD) {
                words.add(word);
            }
            at = end + 1;
        }
        return words;
    }

    private static boolean isSeparator(char character) {
        return character <= ' '
                || Character.isWhitespace(character)
                || Character.isSpaceChar(character)
                || Character.isISOControl(character);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /**
     * Reads kept words.
     *
     * @throws LabException if it is another file, or damaged
     */
    public static Fragments open(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            long size = channel.size();
            if (size <= HEAD || size > HEAD + MOST_BYTES) {
                throw new LabException(path.getFileName() + ": not a file of words");
            }
            MemorySegment file = Arena.ofAuto().allocate(size);
            for (long at = 0; at < size; ) {
                int length = (int) Math.min(READ_AT_ONCE, size - at);
                int read = channel.read(file.asSlice(at, length).asByteBuffer(), at);
                if (read < 0) {
                    throw new LabException(path.getFileName() + ": became shorter while it was read");
                }
                at += read;
            }
            return checked(file, path.getFileName().toString());
        }
    }

    private static Fragments checked(MemorySegment file, String name) {
        MemorySegment text = file.asSlice(HEAD);
        MessageDigest digest = sha256();
        for (long at = 0; at < text.byteSize(); at += READ_AT_ONCE) {
            digest.update(text.asSlice(at, Math.min(READ_AT_ONCE, text.byteSize() - at))
                    .asByteBuffer());
        }
        String expected = HexFormat.of().formatHex(digest.digest()) + "\n";
        String head = new String(file.asSlice(0, HEAD).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.US_ASCII);
        if (!head.equals(expected)) {
            throw new LabException(name + ": damaged: its words differ from the words that were written");
        }
        return new Fragments(text, head.substring(0, 16));
    }

    /** Returns how many words there are. */
    public long words() {
        return words;
    }

    /** Returns the bytes of kept text. */
    public long textBytes() {
        return text.byteSize();
    }

    /** Returns 16 hexadecimal digits that identify these words. */
    public String fingerprint() {
        return fingerprint;
    }

    /** Returns the start of a word. */
    long wordAt(long word) {
        long at = offsets.getAtIndex(ValueLayout.JAVA_INT, word / WORDS_AN_OFFSET);
        for (long left = word % WORDS_AN_OFFSET; left > 0; left--) {
            at = wordEnd(at) + 1;
        }
        return at;
    }

    /** Returns the end of a word that begins here. */
    long wordEnd(long at) {
        long end = at;
        while (!isEnd(end)) {
            end++;
        }
        return end;
    }

    /** Returns whether the word that ends here is the last of its record. */
    boolean isRecordEnd(long wordEnd) {
        return byteAt(wordEnd) == RECORD_END;
    }

    /** Copies the bytes of a word and returns their end. */
    int copy(long at, long end, byte[] target, int offset) {
        int length = (int) (end - at);
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, at, target, offset, length);
        return offset + length;
    }

    private boolean isEnd(long at) {
        byte end = byteAt(at);
        return end == WORD_END || end == RECORD_END;
    }

    private byte byteAt(long at) {
        return text.get(ValueLayout.JAVA_BYTE, at);
    }
}

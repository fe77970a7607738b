package dev.larder.lab.text;

import static dev.larder.lab.text.FragmentsLayout.AT_DIGEST;
import static dev.larder.lab.text.FragmentsLayout.AT_MAGIC;
import static dev.larder.lab.text.FragmentsLayout.AT_TEXT;
import static dev.larder.lab.text.FragmentsLayout.AT_TEXT_BYTES;
import static dev.larder.lab.text.FragmentsLayout.AT_VERSION;
import static dev.larder.lab.text.FragmentsLayout.AT_WORDS;
import static dev.larder.lab.text.FragmentsLayout.DIGEST_BYTES;
import static dev.larder.lab.text.FragmentsLayout.INT;
import static dev.larder.lab.text.FragmentsLayout.LONG;
import static dev.larder.lab.text.FragmentsLayout.MAGIC;
import static dev.larder.lab.text.FragmentsLayout.RECORD_END;
import static dev.larder.lab.text.FragmentsLayout.VERSION;
import static dev.larder.lab.text.FragmentsLayout.WORDS_AN_OFFSET;
import static dev.larder.lab.text.FragmentsLayout.WORD_END;

import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * The words of a corpus, one after the other, outside the heap: no Strings, no mapping that the system could take pages of.
 * May be used by any number of threads.
 *
 * <p>Bounded: {@link #DEFAULT_BYTES} of a corpus' text from its beginning, or as much as is asked for, up to
 * {@link #MOST_BYTES}.
 */
public final class Fragments {

    /** The bytes of text that are kept unless more or less is asked for. */
    public static final long DEFAULT_BYTES = 64L << 20;

    /** The bytes of text that can be kept. */
    public static final long MOST_BYTES = 1L << 30;

    private static final int READ_AT_ONCE = 1 << 24;

    private final MemorySegment file;
    private final MemorySegment text;
    private final MemorySegment offsets;
    private final long words;
    private final String fingerprint;

    private Fragments(MemorySegment file, String name) {
        checkHead(file, name);
        long textBytes = file.get(LONG, AT_TEXT_BYTES);
        this.file = file;
        words = file.get(LONG, AT_WORDS);
        checkSize(textBytes, name);
        text = file.asSlice(AT_TEXT, textBytes);
        offsets = file.asSlice(AT_TEXT + textBytes);
        byte[] digest = file.asSlice(AT_DIGEST, DIGEST_BYTES).toArray(ValueLayout.JAVA_BYTE);
        if (!MessageDigest.isEqual(digest, digest(file.asSlice(AT_TEXT)))) {
            throw new LabException(name + ": damaged: its words are not those that it was written with");
        }
        fingerprint = HexFormat.of().formatHex(digest, 0, 8);
    }

    private static void checkHead(MemorySegment file, String name) {
        if (file.byteSize() < AT_TEXT || file.get(LONG, AT_MAGIC) != MAGIC) {
            throw new LabException(name + ": not a file of words");
        }
        if (file.get(INT, AT_VERSION) != VERSION) {
            throw new LabException(
                    name + ": a file of words of version " + file.get(INT, AT_VERSION) + ", this reads " + VERSION);
        }
    }

    private void checkSize(long textBytes, String name) {
        boolean possible = textBytes > 0 && textBytes <= MOST_BYTES && words > 0 && words <= textBytes;
        if (!possible || file.byteSize() != AT_TEXT + textBytes + Integer.BYTES * FragmentsLayout.offsets(words)) {
            throw new LabException(name + ": " + file.byteSize() + " bytes are not those of " + words + " words with "
                    + textBytes + " bytes of text");
        }
    }

    /**
     * Keeps the words of a corpus in a file, from its beginning up to so many bytes of text, and reads them in.
     *
     * @param corpus read to its end, or until there are enough words
     * @param mostBytes of text that are kept, 1 KiB to {@link #MOST_BYTES}
     * @param path of the file, which is replaced when it is complete
     * @throws LabException if the corpus has too few words for a document
     */
    public static Fragments keep(Corpus corpus, long mostBytes, Path path) throws IOException {
        FragmentsWriter.write(corpus, mostBytes, path);
        return open(path);
    }

    /**
     * Reads words that were kept.
     *
     * @throws LabException if it is no such file, or damaged
     */
    public static Fragments open(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment file = Arena.ofAuto().allocate(checkedSize(channel, path), Long.BYTES);
            for (long at = 0; at < file.byteSize(); ) {
                int length = (int) Math.min(READ_AT_ONCE, file.byteSize() - at);
                int read = channel.read(file.asSlice(at, length).asByteBuffer(), at);
                at += checkRead(read, path);
            }
            return new Fragments(file, path.getFileName().toString());
        }
    }

    private static long checkedSize(FileChannel channel, Path path) throws IOException {
        long most = AT_TEXT + MOST_BYTES + Integer.BYTES * FragmentsLayout.offsets(MOST_BYTES);
        if (channel.size() > most) {
            throw new LabException(path.getFileName() + ": not a file of words: " + channel.size()
                    + " bytes, such a file has at most " + most);
        }
        return channel.size();
    }

    private static int checkRead(int read, Path path) {
        if (read < 0) {
            throw new LabException(path.getFileName() + ": became shorter while it was read");
        }
        return read;
    }

    static byte[] digest(MemorySegment bytes) {
        MessageDigest digest = FragmentsWriter.sha256();
        for (long at = 0; at < bytes.byteSize(); at += READ_AT_ONCE) {
            digest.update(bytes.asSlice(at, Math.min(READ_AT_ONCE, bytes.byteSize() - at))
                    .asByteBuffer());
        }
        return digest.digest();
    }

    /** Returns how many words there are. */
    public long words() {
        return words;
    }

    /** Returns the bytes of text that are kept. */
    public long textBytes() {
        return text.byteSize();
    }

    /** Returns 16 hexadecimal digits that stand for exactly these words. */
    public String fingerprint() {
        return fingerprint;
    }

    /** Returns where a word begins. */
    long wordAt(long word) {
        long at = Integer.toUnsignedLong(offsets.get(INT, word / WORDS_AN_OFFSET * Integer.BYTES));
        for (long left = word % WORDS_AN_OFFSET; left > 0; left--) {
            at = wordEnd(at) + 1;
        }
        return at;
    }

    /** Returns where a word ends that begins here. */
    long wordEnd(long at) {
        long end = at;
        while (byteAt(end) != WORD_END && byteAt(end) != RECORD_END) {
            end++;
        }
        return end;
    }

    /** Tells whether the word that ends here is the last one of its record. */
    boolean isRecordEnd(long wordEnd) {
        return byteAt(wordEnd) == RECORD_END;
    }

    /** Copies the bytes of a word and returns where they end. */
    int copy(long at, long end, byte[] target, int offset) {
        int length = (int) (end - at);
        MemorySegment.copy(text, ValueLayout.JAVA_BYTE, at, target, offset, length);
        return offset + length;
    }

    private byte byteAt(long at) {
        return text.get(ValueLayout.JAVA_BYTE, at);
    }
}

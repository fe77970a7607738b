package dev.larder.resp;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Writes replies in the version of the protocol that the client has chosen. A type that RESP2 does not have is written in its
 * nearest form, as Redis does.
 *
 * <pre>
 *               RESP3                 RESP2
 * nil           _                     $-1
 * nil array     _                     *-1
 * map of n      %n                    *2n
 * set of n      ~n                    *n
 * push of n     &gt;n                    *n
 * real          ,3.5                  $3 3.5
 * truth         #t                    :1
 * big number    (12345678901234567890 $20 12345678901234567890
 * verbatim      =7 txt:abc            $3 abc
 * </pre>
 *
 * A reply of parts is a header and then each part: {@code array(2)}, {@code integer(1)}, {@code integer(2)}. The caller writes
 * as many parts as the header says. Allocates nothing for integers, bytes and headers. Used by one thread.
 */
public final class ReplyEncoder {

    private static final byte[] LINE_END = {'\r', '\n'};
    private static final byte[] OK = ascii("+OK\r\n");
    private static final byte[] NIL_2 = ascii("$-1\r\n");
    private static final byte[] NIL_ARRAY_2 = ascii("*-1\r\n");
    private static final byte[] NIL_3 = ascii("_\r\n");
    private static final int FORMAT_CHARACTERS = 3;

    /** A type, the digits of a long with a minus, and the end of the line. */
    private static final int LINE_MAX_BYTES = 24;

    private final ReplyOutput out;
    private final byte[] line = new byte[LINE_MAX_BYTES];
    private boolean resp3;
    private int errors;
    private String lastError = "";
    private int markedBytes;
    private int markedErrors;
    private String markedError = "";

    /** Creates an encoder of RESP2, with which each connection begins. */
    public ReplyEncoder(ReplyOutput out) {
        this.out = out;
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** Chooses the version, 2 or 3. */
    public void setVersion(int version) {
        if (version != 2 && version != 3) {
            throw new IllegalArgumentException("RESP version " + version + ": must be 2 or 3");
        }
        resp3 = version == 3;
    }

    /** Returns the version, 2 or 3. */
    public int version() {
        return resp3 ? 3 : 2;
    }

    /** Returns where the bytes go. */
    public ReplyOutput output() {
        return out;
    }

    /** Writes {@code +OK}. */
    public void ok() {
        out.write(OK, 0, OK.length);
    }

    /** Writes a status, a line without an end. */
    public void status(String text) {
        line('+', text);
    }

    /** Writes an error: a code in capitals, a space, a text. An end of line within it becomes a space. */
    public void error(String text) {
        errors++;
        lastError = text;
        line('-', text);
    }

    /** Returns how many errors were written. */
    public int errors() {
        return errors;
    }

    /** Returns the last error that was written; empty if none was. */
    public String lastError() {
        return lastError;
    }

    /** Records the size of the replies, for {@link #reset}. */
    public void mark() {
        markedBytes = out.sizeBytes();
        markedErrors = errors;
        markedError = lastError;
    }

    /** Takes back what was written since {@link #mark}. Nothing may have been sent meanwhile. */
    public void reset() {
        out.truncate(markedBytes);
        errors = markedErrors;
        lastError = markedError;
    }

    private void line(char type, String text) {
        byte[] bytes = ByteText.bytes(text);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] == '\r' || bytes[i] == '\n') {
                bytes[i] = ' ';
            }
        }
        out.write((byte) type);
        out.write(bytes, 0, bytes.length);
        out.write(LINE_END, 0, LINE_END.length);
    }

    /** Writes an integer. */
    public void integer(long value) {
        header(':', value);
    }

    /** Writes bytes. */
    public void bulk(byte[] bytes) {
        header('$', bytes.length);
        out.write(bytes, 0, bytes.length);
        out.write(LINE_END, 0, LINE_END.length);
    }

    /** Writes a range of a buffer. */
    public void bulk(ByteBuffer bytes, int offset, int length) {
        header('$', length);
        out.write(bytes, offset, length);
        out.write(LINE_END, 0, LINE_END.length);
    }

    /** Begins bytes of a known length, which the caller writes to the output itself, followed by {@link #endBulk}. */
    public void beginBulk(long length) {
        header('$', length);
    }

    /** Ends the bytes that {@link #beginBulk} began. */
    public void endBulk() {
        out.write(LINE_END, 0, LINE_END.length);
    }

    /** Writes a text as bytes of UTF-8; bytes that {@link ByteText} has kept are written as they were. */
    public void text(String text) {
        bulk(ByteText.bytes(text));
    }

    /** Writes that there is no value. */
    public void nil() {
        constant(resp3 ? NIL_3 : NIL_2);
    }

    /** Writes that there is no array: for a transaction that was given up, or a wait that found nothing. */
    public void nilArray() {
        constant(resp3 ? NIL_3 : NIL_ARRAY_2);
    }

    private void constant(byte[] bytes) {
        out.write(bytes, 0, bytes.length);
    }

    /** Begins an array of a number of replies. */
    public void array(long count) {
        header('*', count);
    }

    /** Begins a map of a number of pairs: a key and a value each. */
    public void map(long pairs) {
        header(resp3 ? '%' : '*', resp3 ? pairs : 2 * pairs);
    }

    /** Begins attributes of the reply that follows: pairs, only in RESP3. */
    public void attribute(long pairs) {
        header('|', pairs);
    }

    /** Begins a set of a number of replies. */
    public void set(long count) {
        header(resp3 ? '~' : '*', count);
    }

    /** Begins a message that is not a reply to a request. In RESP2 only a client with subscriptions expects one. */
    public void push(long count) {
        header(resp3 ? '>' : '*', count);
    }

    /** Writes a number with a fraction, in up to 17 digits. */
    public void real(double value) {
        String text = RealText.of(value);
        if (resp3) {
            line(',', text);
        } else {
            text(text);
        }
    }

    /** Writes true or false. */
    public void truth(boolean value) {
        if (resp3) {
            line('#', value ? "t" : "f");
        } else {
            integer(value ? 1 : 0);
        }
    }

    /** Writes an integer of any length, in decimal digits. */
    public void bigNumber(String digits) {
        if (resp3) {
            line('(', digits);
        } else {
            text(digits);
        }
    }

    /** Writes a text for people; its format is {@code txt} or {@code mkd}. */
    public void verbatim(String format, String text) {
        if (format.length() != FORMAT_CHARACTERS) {
            throw new IllegalArgumentException("format \"" + format + "\": must have three characters");
        }
        if (!resp3) {
            text(text);
            return;
        }
        byte[] bytes = (format + ":" + text).getBytes(StandardCharsets.UTF_8);
        header('=', bytes.length);
        out.write(bytes, 0, bytes.length);
        out.write(LINE_END, 0, LINE_END.length);
    }

    /** Writes a type, an integer, and the end of the line: the digits from the right. */
    private void header(char type, long value) {
        int at = LINE_MAX_BYTES;
        line[--at] = '\n';
        line[--at] = '\r';
        long rest = value > 0 ? -value : value; // below 0, where there is one number more
        do {
            line[--at] = (byte) ('0' - rest % 10);
            rest /= 10;
        } while (rest != 0);
        if (value < 0) {
            line[--at] = '-';
        }
        line[--at] = (byte) type;
        out.write(line, at, LINE_MAX_BYTES - at);
    }
}

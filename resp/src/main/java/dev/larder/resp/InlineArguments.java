package dev.larder.resp;

import java.nio.ByteBuffer;

/**
 * Splits a line into arguments, as Redis does. Between double quotes {@code \n}, {@code \r}, {@code \t}, {@code \b},
 * {@code \a} and {@code \xHH} stand for bytes; between single quotes only {@code \'} does. A closing quote must be followed by
 * a space or the end.
 *
 * <p>The arguments are written to a buffer of the request, because the line may be read again. No argument becomes longer.
 */
final class InlineArguments {

    private static final String UNBALANCED = "unbalanced quotes in request";
    private static final int NO_DIGIT = -1;

    private ByteBuffer line = ByteBuffer.allocate(0);
    private ByteBuffer out = ByteBuffer.allocate(0);
    private int at;
    private int end;

    /** Fills a request with the arguments of a line. */
    void split(ByteBuffer in, int start, int length, Request request) throws ProtocolException {
        line = in;
        out = request.ownRoom(length);
        at = start;
        end = endOfText(in, start, start + length);
        skipSpace();
        while (at < end) {
            int begin = out.position();
            unpack();
            request.add(begin, out.position() - begin);
            skipSpace();
        }
        request.complete(out, 0);
    }

    /** A zero byte ends the line, as it ends a text in C. */
    private static int endOfText(ByteBuffer in, int from, int to) {
        int end = from;
        while (end < to && in.get(end) != 0) {
            end++;
        }
        return end;
    }

    private void skipSpace() {
        while (at < end && isSpace(line.get(at))) {
            at++;
        }
    }

    private void unpack() throws ProtocolException {
        while (at < end && !isSpace(line.get(at))) {
            byte character = line.get(at++);
            if (character == '"') {
                unpackDoubleQuoted();
            } else if (character == '\'') {
                unpackSingleQuoted();
            } else {
                write(character);
            }
        }
    }

    private void write(int character) {
        out.put((byte) character);
    }

    private byte next() throws ProtocolException {
        if (at == end) {
            throw new ProtocolException(UNBALANCED);
        }
        return line.get(at++);
    }

    private void requireSpace() throws ProtocolException {
        if (at < end && !isSpace(line.get(at))) {
            throw new ProtocolException(UNBALANCED);
        }
    }

    private void unpackDoubleQuoted() throws ProtocolException {
        byte character = next();
        while (character != '"') {
            write(character == '\\' && at < end ? unpackEscape() : character);
            character = next();
        }
        requireSpace();
    }

    private int unpackEscape() {
        byte character = line.get(at++);
        if (character == 'x' && at + 1 < end) {
            int high = digit(line.get(at));
            int low = digit(line.get(at + 1));
            if (high != NO_DIGIT && low != NO_DIGIT) {
                at += 2;
                return high << 4 | low;
            }
        }
        return switch (character) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> character;
        };
    }

    private void unpackSingleQuoted() throws ProtocolException {
        byte character = next();
        while (character != '\'') {
            if (character == '\\' && at < end && line.get(at) == '\'') {
                character = line.get(at++);
            }
            write(character);
            character = next();
        }
        requireSpace();
    }

    private static int digit(byte character) {
        return Character.digit(character, 16);
    }

    /** As {@code isspace} of the C library. */
    private static boolean isSpace(byte character) {
        return character == ' ' || (character >= '\t' && character <= '\r');
    }
}

package dev.larder.resp;

import java.nio.ByteBuffer;

/**
 * Finds requests in the bytes that a client sends, without copying an argument. Used by one session and one thread.
 *
 * <pre>
 * *2\r\n              how many arguments follow      a request of a client library
 * $3\r\nGET\r\n       length and bytes of each
 * $1\r\nk\r\n
 *
 * GET k\r\n           an inline request              a person at a terminal
 * </pre>
 *
 * <p>A request that is not complete stays in the buffer. The parser remembers its position, counted from the buffer's
 * position. So it looks at each byte once, even if the bytes come one at a time, and the session may move them to another
 * buffer meanwhile. {@link #missingBytes} returns how many it needs at least.
 *
 * <p>It refuses what Redis 7.0 refuses, with the same texts, and reads the rest the same way. The byte behind a CR is taken
 * for LF, and an empty line is a request without arguments. Source: the page "Redis serialization protocol specification".
 */
public final class RequestParser {

    /** Before {@code AUTH} a client may send few arguments, and short ones. */
    private static final int UNAUTHENTICATED_ARGUMENTS_MAX = 10;

    private static final int UNAUTHENTICATED_BULK_MAX_BYTES = 16 << 10;

    private static final int NOT_BEGUN = -1;
    private static final long NO_LENGTH = -1;
    private static final int LINE_END_BYTES = 2;
    private static final int NO_LINE_END = -1;

    private final RequestLimits limits;
    private final InlineArguments inline = new InlineArguments();

    /** The position of the parser in the request, from its first byte. */
    private int at;

    /** Where the search for the end of a line continues, from the first byte of the request. */
    private int searched;

    /** How many arguments are still to come; NOT_BEGUN before the first line. */
    private int left = NOT_BEGUN;

    /** The length of the argument whose bytes come next. */
    private long bulk = NO_LENGTH;

    private boolean authenticated = true;

    /** Creates a parser with limits. */
    public RequestParser(RequestLimits limits) {
        this.limits = limits;
    }

    /** Sets whether the client has authenticated itself; until then its requests must be small. */
    public void setAuthenticated(boolean now) {
        authenticated = now;
    }

    /**
     * Reads the request that begins at the buffer's position. If it is complete, returns true and moves the position behind
     * the request; else returns false and moves nothing.
     *
     * @throws ProtocolException if the bytes are not a request
     */
    public boolean parse(ByteBuffer in, Request request) throws ProtocolException {
        int start = in.position();
        if (left == NOT_BEGUN) {
            if (!in.hasRemaining()) {
                return false;
            }
            request.clear();
            if (in.get(start) != '*') {
                return parseLine(in, start, request);
            }
            if (!beginArray(in, start)) {
                return false;
            }
        }
        while (left > 0) {
            if (!parseArgument(in, start, request)) {
                return false;
            }
        }
        request.complete(in, start);
        end(in, start);
        return true;
    }

    private void end(ByteBuffer in, int start) {
        in.position(start + at);
        at = 0;
        searched = 0;
        left = NOT_BEGUN;
    }

    /** Returns how many more bytes the request needs at least, as far as is known; 0 between two requests. */
    public long missingBytes(ByteBuffer in) {
        if (left == NOT_BEGUN && searched == 0) {
            return 0;
        }
        long needed = bulk == NO_LENGTH ? searched + 1L : at + bulk + LINE_END_BYTES;
        return Math.max(1, needed - in.remaining());
    }

    private boolean beginArray(ByteBuffer in, int start) throws ProtocolException {
        int end = findLineEnd(in, start, "too big mbulk count string");
        if (end == NO_LINE_END) {
            return false;
        }
        long count = number(in, start + 1, start + end, Integer.MIN_VALUE);
        if (count == Integer.MIN_VALUE || count > Integer.MAX_VALUE) {
            throw new ProtocolException("invalid multibulk length");
        }
        if (!authenticated && count > UNAUTHENTICATED_ARGUMENTS_MAX) {
            throw new ProtocolException("unauthenticated multibulk length");
        }
        stepOver(end);
        left = (int) Math.max(0, count);
        return true;
    }

    private boolean parseArgument(ByteBuffer in, int start, Request request) throws ProtocolException {
        if (bulk == NO_LENGTH && !parseLength(in, start)) {
            return false;
        }
        if (in.remaining() - at < bulk + LINE_END_BYTES) {
            return false;
        }
        request.add(at, (int) bulk);
        stepOver(at + (int) bulk);
        bulk = NO_LENGTH;
        left--;
        return true;
    }

    private boolean parseLength(ByteBuffer in, int start) throws ProtocolException {
        int end = findLineEnd(in, start, "too big bulk count string");
        if (end == NO_LINE_END) {
            return false;
        }
        byte first = in.get(start + at);
        if (first != '$') {
            throw new ProtocolException("expected '$', got '" + (char) (first & 0xFF) + "'");
        }
        long length = number(in, start + at + 1, start + end, -1);
        if (length < 0 || length > limits.bulkMaxBytes()) {
            throw new ProtocolException("invalid bulk length");
        }
        if (!authenticated && length > UNAUTHENTICATED_BULK_MAX_BYTES) {
            throw new ProtocolException("unauthenticated bulk length");
        }
        stepOver(end);
        bulk = length;
        return true;
    }

    private static long number(ByteBuffer in, int from, int to, long otherwise) {
        return Decimal.isInteger(in, from, to) ? Decimal.value(in, from, to) : otherwise;
    }

    /** Moves behind the end of a line, CR and LF. */
    private void stepOver(int end) {
        at = end + LINE_END_BYTES;
        searched = at;
    }

    /** Returns where the CR of this line is, from the first byte of the request, once the byte behind it is there too. */
    private int findLineEnd(ByteBuffer in, int start, String tooLong) throws ProtocolException {
        int limit = in.remaining();
        while (searched < limit && in.get(start + searched) != '\r') {
            searched++;
        }
        if (searched - at > limits.inlineMaxBytes()) {
            throw new ProtocolException(tooLong);
        }
        return searched + 1 < limit ? searched : NO_LINE_END;
    }

    private boolean parseLine(ByteBuffer in, int start, Request request) throws ProtocolException {
        int limit = in.remaining();
        while (searched < limit && in.get(start + searched) != '\n') {
            searched++;
        }
        if (searched > limits.inlineMaxBytes()) {
            throw new ProtocolException("too big inline request");
        }
        if (searched == limit) {
            return false;
        }
        boolean afterReturn = searched > 0 && in.get(start + searched - 1) == '\r';
        inline.split(in, start, afterReturn ? searched - 1 : searched, request);
        at = searched + 1;
        end(in, start);
        return true;
    }
}

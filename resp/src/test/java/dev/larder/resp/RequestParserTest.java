package dev.larder.resp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests as clients send them, whole, in pieces, damaged, and at random. */
final class RequestParserTest {

    private static final RequestLimits LIMITS = RequestLimits.defaults().withBulkMaxBytes(1 << 20);

    /** Bytes that mean something to the parser. */
    private static final String TELLING = "*$\r\n-0129\"'\\ \0x";

    private final RequestParser parser = new RequestParser(LIMITS);
    private final Request request = new Request();

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static List<String> arguments(Request request) {
        List<String> arguments = new ArrayList<>();
        for (int i = 0; i < request.count(); i++) {
            arguments.add(new String(request.bytes(i), StandardCharsets.ISO_8859_1));
        }
        return arguments;
    }

    private List<List<String>> all(ByteBuffer in) throws ProtocolException {
        List<List<String>> requests = new ArrayList<>();
        while (parser.parse(in, request)) {
            requests.add(arguments(request));
        }
        return requests;
    }

    @Test
    void readsRequestsOfAPipeline() throws ProtocolException {
        ByteBuffer in =
                bytes("*2\r\n$3\r\nGET\r\n$1\r\nk\r\n*1\r\n$4\r\nPING\r\nECHO x\r\n*0\r\n*-1\r\n\r\n*1\r\n$0\r\n\r\n");
        assertThat(all(in))
                .containsExactly(
                        List.of("GET", "k"),
                        List.of("PING"),
                        List.of("ECHO", "x"),
                        List.of(),
                        List.of(),
                        List.of(),
                        List.of(""));
        assertThat(in.hasRemaining()).isFalse();
        assertThat(parser.missingBytes(in)).isZero();
    }

    /** A server parses commands ahead, and again when it runs them. The client's bytes mean the same both times. */
    @ParameterizedTest
    @ValueSource(strings = {"SET k \"v\"\r\n", "SET \"k x\" 'v'\r\n", "SET \"\\x41\\n\" \"\" '\\''\r\n"})
    void aLineWithQuotesMayBeParsedTwice(String line) throws ProtocolException {
        ByteBuffer in = bytes(line);
        Request ahead = new Request();
        assertThat(new RequestParser(LIMITS).parse(in.duplicate(), ahead)).isTrue();
        List<String> first = arguments(ahead);
        assertThat(in).isEqualTo(bytes(line));
        assertThat(parser.parse(in, request)).isTrue();
        assertThat(arguments(request)).isEqualTo(first).hasSizeBetween(3, 4);
        assertThat(arguments(ahead)).isEqualTo(first);
    }

    @Test
    void argumentsLieInTheBuffer() throws ProtocolException {
        ByteBuffer in = bytes("xx*2\r\n$3\r\nGET\r\n$3\r\nkey\r\n");
        in.position(2);
        assertThat(parser.parse(in, request)).isTrue();
        assertThat(request.offset(1)).isEqualTo(in.limit() - 5);
        assertThat(request.length(1)).isEqualTo(3);
        assertThat(request.buffer()).isSameAs(in);
        assertThat(request.is(0, "get")).isTrue();
        assertThat(request.is(0, "gets")).isFalse();
        assertThat(request.text(1)).isEqualTo("key");
        assertThatThrownBy(() -> request.length(2))
                .isInstanceOf(IndexOutOfBoundsException.class)
                .hasMessage("argument 2 of 2");
    }

    /** The bytes come in pieces, and lie in another buffer, at another position, each time. */
    @Test
    void readsTheSameWhateverThePiecesAre() throws ProtocolException {
        Random random = new Random(29);
        for (int round = 0; round < 300; round++) {
            List<List<String>> sent = new ArrayList<>();
            byte[] stream = stream(random, sent);
            List<List<String>> read = new ArrayList<>();
            byte[] waiting = {};
            int taken = 0;
            while (taken < stream.length) {
                int piece = Math.min(1 + random.nextInt(random.nextBoolean() ? 3 : 200), stream.length - taken);
                int shift = random.nextInt(5);
                ByteBuffer in = ByteBuffer.allocate(shift + waiting.length + piece);
                in.position(shift).put(waiting).put(stream, taken, piece).position(shift);
                taken += piece;
                while (parser.parse(in, request)) {
                    read.add(arguments(request));
                }
                if (in.hasRemaining()) {
                    assertThat(parser.missingBytes(in)).isBetween(1L, (long) stream.length - taken);
                }
                waiting = new byte[in.remaining()];
                in.get(waiting);
            }
            assertThat(read).isEqualTo(sent);
            assertThat(waiting).isEmpty();
        }
    }

    private static byte[] stream(Random random, List<List<String>> sent) {
        ByteArrayOutputStream stream = new ByteArrayOutputStream();
        for (int i = random.nextInt(20); i >= 0; i--) {
            List<String> arguments = new ArrayList<>();
            boolean inline = random.nextInt(4) == 0;
            for (int j = random.nextInt(6); j >= 0; j--) {
                byte[] argument = new byte[inline ? 1 + random.nextInt(10) : random.nextInt(300)];
                random.nextBytes(argument);
                if (inline) {
                    for (int k = 0; k < argument.length; k++) {
                        argument[k] = (byte) ('A' + (argument[k] & 15));
                    }
                }
                arguments.add(new String(argument, StandardCharsets.ISO_8859_1));
            }
            sent.add(arguments);
            String text =
                    inline ? String.join(" ", arguments) + (random.nextBoolean() ? "\r\n" : "\n") : array(arguments);
            stream.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
        }
        return stream.toByteArray();
    }

    private static String array(List<String> arguments) {
        StringBuilder text = new StringBuilder("*" + arguments.size() + "\r\n");
        arguments.forEach(argument -> text.append('$')
                .append(argument.length())
                .append("\r\n")
                .append(argument)
                .append("\r\n"));
        return text.toString();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "*x\\r\\n | invalid multibulk length",
                "*2147483648\\r\\n | invalid multibulk length",
                "*+1\\r\\n | invalid multibulk length",
                "*01\\r\\n | invalid multibulk length",
                "*\\r\\n | invalid multibulk length",
                "*1\\r\\n:3\\r\\n | expected '$', got ':'",
                "*1\\r\\n\\r\\n | expected '$', got '\\r'",
                "*1\\r\\n$x\\r\\n | invalid bulk length",
                "*1\\r\\n$-1\\r\\n | invalid bulk length",
                "*1\\r\\n$1048577\\r\\n | invalid bulk length",
                "*1\\r\\n$99999999999999999999\\r\\n | invalid bulk length",
                "GET \"k\\r\\n | unbalanced quotes in request",
                "GET 'k\\r\\n | unbalanced quotes in request",
                "GET \"k\"x\\r\\n | unbalanced quotes in request",
                "GET 'k'x\\r\\n | unbalanced quotes in request",
            })
    void refusesWhatIsNoRequest(String escaped, String message) {
        String text = escaped.replace("\\r", "\r").replace("\\n", "\n");
        assertThatThrownBy(() -> parser.parse(bytes(text), request))
                .isInstanceOf(ProtocolException.class)
                .hasMessage(message.replace("\\r", "\r"));
        assertThat(new ProtocolException("x").reply()).isEqualTo("ERR Protocol error: x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"*", "*1\r\n$", "x"})
    void refusesLinesWithoutAnEnd(String begin) {
        String text = begin + "1".repeat(LIMITS.inlineMaxBytes() + 1);
        assertThatThrownBy(() -> parser.parse(bytes(text), request))
                .isInstanceOf(ProtocolException.class)
                .hasMessageStartingWith("too big ");
    }

    @Test
    void takesLittleBeforeTheClientIsKnown() throws ProtocolException {
        parser.setAuthenticated(false);
        assertThat(parser.parse(bytes(array(List.of("AUTH", "user", "x".repeat(16 << 10)))), request))
                .isTrue();
        assertThatThrownBy(() -> parser.parse(bytes("*11\r\n"), request))
                .hasMessage("unauthenticated multibulk length");
        RequestParser other = new RequestParser(LIMITS);
        other.setAuthenticated(false);
        assertThatThrownBy(() -> other.parse(bytes("*1\r\n$16385\r\n"), request))
                .hasMessage("unauthenticated bulk length");
    }

    @ParameterizedTest
    @CsvSource({
        "'  SET  k  v ', SET;k;v",
        "'SET k \"a b\"', SET;k;a b",
        "'SET k \"\\x41\\x7a\\n\\t\\q\"', 'SET;k;Az\n\tq'",
        "'SET k \"\\xzz\"', SET;k;xzz",
        "'SET k ''a\\''b \\n''', SET;k;a'b \\n",
        "'a\"b c\" d', ab c;d",
        "'\"\"', ''",
    })
    void splitsLinesAsRedisDoes(String line, String wanted) throws ProtocolException {
        String unquoted = line.replace("''", "'");
        assertThat(parser.parse(bytes(unquoted + "\r\n"), request)).isTrue();
        assertThat(arguments(request)).isEqualTo(Arrays.asList(wanted.split(";", -1)));
    }

    @Test
    void aZeroByteEndsALine() throws ProtocolException {
        assertThat(parser.parse(bytes("GET k\0 more\r\n"), request)).isTrue();
        assertThat(arguments(request)).containsExactly("GET", "k");
    }

    @Test
    void asksForAsManyBytesAsAnArgumentNeeds() throws ProtocolException {
        ByteBuffer in = bytes("*1\r\n$1000\r\nabc");
        assertThat(parser.parse(in, request)).isFalse();
        assertThat(parser.missingBytes(in)).isEqualTo(1000 + 2 - 3);
        assertThat(in.position()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "-1, -1",
        "9223372036854775807, 9223372036854775807",
        "-9223372036854775808, -9223372036854775808",
    })
    void readsIntegers(String text, long value) throws ProtocolException {
        assertThat(parser.parse(bytes(array(List.of("INCRBY", "k", text))), request))
                .isTrue();
        assertThat(request.isInteger(2)).isTrue();
        assertThat(request.integer(2)).isEqualTo(value);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "-",
                "+1",
                "-0",
                "00",
                "01",
                " 1",
                "1 ",
                "1.0",
                "9223372036854775808",
                "-9223372036854775809",
                "0x1",
                "99999999999999999999"
            })
    void knowsWhatIsNoInteger(String text) throws ProtocolException {
        assertThat(parser.parse(bytes(array(List.of("INCRBY", "k", text))), request))
                .isTrue();
        assertThat(request.isInteger(2)).isFalse();
    }

    /** Bytes at random, and requests with a byte changed: a request, no request, or an error of the protocol; nothing else. */
    @Test
    void survivesAnyBytes() {
        Random random = new Random(30);
        for (int round = 0; round < 20_000; round++) {
            byte[] stream = stream(random, new ArrayList<>());
            for (int i = random.nextInt(4); i >= 0 && stream.length > 0; i--) {
                stream[random.nextInt(stream.length)] = (byte) TELLING.charAt(random.nextInt(TELLING.length()));
            }
            RequestParser fresh = new RequestParser(LIMITS);
            ByteBuffer in = ByteBuffer.wrap(stream);
            try {
                while (fresh.parse(in, request)) {
                    for (int i = 0; i < request.count(); i++) {
                        assertThat(request.offset(i) + request.length(i)).isLessThanOrEqualTo(in.position());
                    }
                }
                assertThat(fresh.missingBytes(in)).isNotNegative();
            } catch (ProtocolException e) {
                assertThat(e).hasMessageMatching("(?s)invalid .*|expected .*|too big .*|unbalanced .*");
            }
        }
    }
}

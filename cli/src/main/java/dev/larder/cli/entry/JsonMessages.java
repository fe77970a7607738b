package dev.larder.cli.entry;

import dev.larder.codec.Schema;
import dev.larder.codec.TypedValue;
import dev.larder.codec.ValueCodec;
import dev.larder.memory.LarderException;
import dev.larder.queue.LarderQueue;
import dev.larder.queue.MessageHandler;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.jr.ob.JSON;
import tools.jackson.jr.ob.ValueIterator;

/**
 * Messages as lines of JSON. A schema comes before its first message.
 *
 * <pre>{@code
 * {"schema":1,"text":"record Trade\n symbol text\n price double\n"}
 * {"position":8192,"schema":1,"record":"Trade","value":{"symbol":"XY","price":1.5}}
 * {"position":8224,"text":"hello"}
 * {"position":8240,"base64":"AP8="}
 * }</pre>
 *
 * <p>A message that would not be restored byte for byte is written in base64.
 */
public final class JsonMessages implements MessageHandler {

    /**
     * Texts and names may be as long as a message. A line that is read has a limit of depth, so that none exhausts the stack;
     * {@link #comesBack} finds the values beyond it.
     */
    static final JSON LINES = JSON.builder(JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxStringLength(Integer.MAX_VALUE)
                            .maxNameLength(Integer.MAX_VALUE)
                            .build())
                    .streamWriteConstraints(StreamWriteConstraints.builder()
                            .maxNestingDepth(Integer.MAX_VALUE)
                            .build())
                    .build())
            .enable(JSON.Feature.WRITE_NULL_PROPERTIES, JSON.Feature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final Pattern PLACE = Pattern.compile("\\s*at \\[Source: .*", Pattern.DOTALL);

    private final TypedMessageReader typed;
    private final Map<Schema, Integer> numbers = new LinkedHashMap<>();
    private final LarderQueue queue;
    private final Set<Integer> written = new HashSet<>();
    private final List<String> lines = new ArrayList<>();
    private long position;

    public JsonMessages(LarderQueue queue) {
        this.queue = queue;
        this.typed = new TypedMessageReader(queue);
    }

    /** Sets the position of the next message. */
    public JsonMessages at(long next) {
        position = next;
        return this;
    }

    /** Returns the lines of the last message. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public void onMessage(MemorySegment segment, long offset, int length) {
        lines.clear();
        byte[] bytes = segment.asSlice(offset, length).toArray(ValueLayout.JAVA_BYTE);
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("position", position);
        String text = text(bytes);
        if (text != null) {
            line.put("text", text);
        } else if (!typed(segment, offset, bytes, line)) {
            line.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
        lines.add(json(line));
    }

    /** Returns the JSON object of a line, which must hold nothing else; empty for a blank line. */
    public static Optional<Map<String, @Nullable Object>> object(byte[] bytes, int offset, int length) {
        String line = text(Arrays.copyOfRange(bytes, offset, offset + length));
        if (line == null) {
            throw new IllegalArgumentException("its bytes are not UTF-8");
        }
        return line.isBlank() ? Optional.empty() : Optional.of(object(line));
    }

    /** Returns the JSON object of a text, which must hold nothing else. */
    public static Map<String, @Nullable Object> object(String text) {
        boolean isObject = text.stripLeading().startsWith("{"); // of an array, the parser would return the values
        ValueIterator<Object> values = LINES.anySequenceFrom(text);
        if (!isObject || !(values.next() instanceof Map<?, ?> fields)) {
            throw new IllegalArgumentException("it is not a JSON object");
        }
        if (values.hasNext()) {
            throw new IllegalArgumentException("it has text after its JSON object");
        }
        return named(fields);
    }

    /** Returns why a line cannot be read, without the parser's place: the parser sees only one line. */
    public static String reason(RuntimeException error) {
        return PLACE.matcher(String.valueOf(error.getMessage()))
                .replaceFirst("")
                .strip();
    }

    /** Returns a number of JSON as the number of a schema. */
    public static int schemaNumber(Number number) {
        if (number instanceof Integer schema) {
            return schema;
        }
        throw new IllegalArgumentException(number + " is not the number of a schema");
    }

    /** Returns a map of JSON with its names typed as texts. */
    static Map<String, @Nullable Object> named(Map<?, ?> fields) {
        Map<String, @Nullable Object> named = new LinkedHashMap<>();
        fields.forEach((name, value) -> named.put(String.valueOf(name), value));
        return named;
    }

    public static String json(Map<String, @Nullable Object> line) {
        return LINES.asString(line);
    }

    /** Returns the text of bytes in UTF-8; null if they are not UTF-8. */
    public static @Nullable String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Returns text in UTF-8. An unpaired surrogate is refused, because half a character has no bytes. */
    public static byte[] utf8(String text) {
        try {
            ByteBuffer encoded = StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(text));
            byte[] bytes = new byte[encoded.remaining()];
            encoded.get(bytes);
            return bytes;
        } catch (CharacterCodingException e) {
            throw new IllegalArgumentException("it has half of a surrogate pair", e);
        }
    }

    /** Adds the value of a typed message. Returns false if the message is not typed, or would be restored with other bytes. */
    private boolean typed(MemorySegment segment, long offset, byte[] bytes, Map<String, @Nullable Object> line) {
        Optional<TypedValue> read = typed.read(segment, offset, bytes.length);
        if (read.isEmpty()) {
            return false;
        }
        TypedValue value = read.get();
        int number = number(value.schema());
        if (written.add(number)) {
            lines.add(json(schemaLine(number, value.schema())));
        }
        if (!comesBack(value, bytes, typed.values())) {
            return false;
        }
        line.put("schema", number);
        line.put(TypedMessageReader.kind(value), value.schema().name());
        line.put("value", value.components());
        return true;
    }

    private int number(Schema schema) {
        if (!numbers.containsKey(schema)) {
            queue.schemas().forEach((number, known) -> numbers.put(known, number));
        }
        return numbers.getOrDefault(schema, 0);
    }

    public static Map<String, @Nullable Object> schemaLine(int number, Schema schema) {
        Map<String, @Nullable Object> line = new LinkedHashMap<>();
        line.put("schema", number);
        line.put("text", schema.text());
        return line;
    }

    /**
     * Returns whether a value survives JSON and back: the bits of a NaN have no form in JSON, and a reader refuses a value
     * that is nested too deep.
     */
    static boolean comesBack(TypedValue value, byte[] bytes, ValueCodec<TypedValue> values) {
        int mark = TypedMessageReader.MARK_BYTES;
        try {
            Map<String, @Nullable Object> back = new LinkedHashMap<>(LINES.mapFrom(LINES.asString(value.components())));
            byte[] again = encode(new TypedValue(value.schema(), back), values);
            return Arrays.equals(bytes, mark, bytes.length, again, mark, again.length);
        } catch (LarderException | JacksonException e) {
            return false; // JSON has changed the value, or its reader refuses it
        }
    }

    static byte[] encode(TypedValue value, ValueCodec<TypedValue> values) {
        byte[] bytes = new byte[values.lengthBytes(value)];
        values.write(value, MemorySegment.ofArray(bytes), 0, bytes.length);
        return bytes;
    }
}

package dev.larder.cli.entry;

import dev.larder.cli.output.Counted;
import dev.larder.codec.Codec;
import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMapping;
import dev.larder.codec.TypedValue;
import dev.larder.memory.LarderException;
import dev.larder.queue.Appender;
import dev.larder.queue.LarderQueue;
import java.io.IOException;
import java.io.InputStream;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An import of messages that are lines of JSON; see {@link JsonMessages}. */
public final class JsonImport {

    private static final long LINE_MAX_BYTES = Integer.MAX_VALUE - 16;

    private final LarderQueue queue;
    private final String source;
    private final Codec<TypedValue> values;
    private final SchemaMapping mapping;
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private long line;
    private long messages;

    public JsonImport(LarderQueue queue, String source) {
        this.queue = queue;
        this.source = source;
        this.values = queue.bind(Codec.values());
        this.mapping = new SchemaMapping(queue.codecFolder());
    }

    /** Appends each line's message; returns how many. */
    public long read(InputStream in) throws IOException {
        LineReader lines = new LineReader(in, LINE_MAX_BYTES);
        try (Appender appender = queue.appender()) {
            while (lines.next((bytes, offset, length) -> append(bytes, offset, length, appender))) {
                line++;
            }
        }
        return messages;
    }

    private void append(byte[] bytes, int offset, int length, Appender appender) {
        try {
            JsonMessages.object(bytes, offset, length).ifPresent(fields -> append(fields, appender));
        } catch (LarderException e) {
            throw e; // an error of the queue, not of the line
        } catch (RuntimeException e) {
            throw new LarderException(
                    source + ": line " + (line + 1) + " is not a message: " + JsonMessages.reason(e) + "; "
                            + Counted.of(messages, "message") + " appended before it",
                    e);
        }
    }

    private void append(Map<String, @Nullable Object> fields, Appender appender) {
        Object value = fields.get("value");
        Object text = fields.get("text");
        Object base64 = fields.get("base64");
        if (value == null && text != null && fields.get("schema") instanceof Number number) {
            Schema schema = new Schema(String.valueOf(text));
            schemas.put(JsonMessages.schemaNumber(number), schema);
            mapping.add(JsonMessages.schemaNumber(number), schema);
        } else {
            appender.append(message(fields, value, text, base64));
            messages++;
        }
    }

    private byte[] message(
            Map<String, @Nullable Object> fields,
            @Nullable Object value,
            @Nullable Object text,
            @Nullable Object base64) {
        if (value instanceof Map<?, ?> components && fields.get("schema") instanceof Number number) {
            return typed(JsonMessages.schemaNumber(number), components);
        }
        if (text instanceof String characters) {
            return JsonMessages.utf8(characters);
        }
        if (base64 instanceof String encoded) {
            return mapping.translate(Base64.getDecoder().decode(encoded));
        }
        throw new IllegalArgumentException("it has neither text, base64 nor value and schema");
    }

    private byte[] typed(int number, Map<?, ?> components) {
        Schema schema = schemas.get(number);
        if (schema == null) {
            throw new IllegalArgumentException("schema " + number + " did not come before it");
        }
        return JsonMessages.encode(new TypedValue(schema, JsonMessages.named(components)), values);
    }
}

package dev.larder.cli.entry;

import dev.larder.cli.output.Printable;
import dev.larder.codec.Codec;
import dev.larder.codec.CodecFolder;
import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMapping;
import dev.larder.codec.TypedValue;
import dev.larder.log.LogOptions;
import dev.larder.memory.LarderException;
import dev.larder.memory.SystemStorage;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The notation of the bytes of keys and values, in text and in JSON.
 *
 * <pre>{@code
 * text    flour                                {"text":"flour"}
 * long    12                                   {"long":12}
 * hex     0xff00                               {"hex":"ff00"}
 * record  Trade {"symbol":"XY","price":1.5}    {"schema":1,"record":"Trade","value":{"symbol":"XY","price":1.5}}
 * }</pre>
 */
public final class EntryText {

    private static final HexFormat HEX = HexFormat.of();
    private static final String HEX_PREFIX = "0x";
    private static final int KEY_MAX_BYTES = 0xFFFF;

    private final SchemaMapping schemas;
    private final TypedMessageReader typed;

    public EntryText(Path directory, LogOptions options) {
        CodecFolder folder = codecFolder(directory, options);
        this.schemas = new SchemaMapping(folder);
        this.typed = new TypedMessageReader(Codec.values().in(folder, false));
    }

    /** Returns the folder in which the codecs of a map store their schemas. */
    public static CodecFolder codecFolder(Path map, LogOptions options) {
        return new CodecFolder(map, SystemStorage.system(), options.access().files());
    }

    /** Throws if a key is longer than a map allows. */
    public static byte[] requireKey(byte[] key) {
        if (key.length > KEY_MAX_BYTES) {
            throw new LarderException("the key has " + key.length + " bytes; the most are " + KEY_MAX_BYTES);
        }
        return key;
    }

    /** Returns the bytes of a given text. {@code what} is key or value, for the error. */
    public byte[] parse(String what, String given, ByteForm form) {
        try {
            return switch (form) {
                case AUTO, TEXT -> JsonMessages.utf8(given);
                case HEX -> HEX.parseHex(given.startsWith(HEX_PREFIX) ? given.substring(2) : given);
                case BASE64 -> Base64.getDecoder().decode(given);
                case INT ->
                    littleEndian(Integer.BYTES).putInt(Integer.parseInt(given)).array();
                case LONG ->
                    littleEndian(Long.BYTES).putLong(Long.parseLong(given)).array();
                case DOUBLE ->
                    littleEndian(Double.BYTES)
                            .putDouble(Double.parseDouble(given))
                            .array();
                case RECORD -> record(given);
            };
        } catch (IllegalArgumentException e) {
            throw new LarderException(
                    "the " + what + " '" + given + "' is not a valid " + name(form) + ": " + e.getMessage(), e);
        }
    }

    private static String name(ByteForm form) {
        return form.name().toLowerCase(Locale.ROOT);
    }

    private static ByteBuffer littleEndian(int bytes) {
        return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private byte[] record(String given) {
        int space = given.indexOf(' ');
        if (space < 0) {
            throw new IllegalArgumentException("expected the name of a record, a space, and JSON");
        }
        return JsonMessages.encode(
                new TypedValue(schema(given.substring(0, space)), components(given, space)), typed.values());
    }

    private static Map<String, @Nullable Object> components(String given, int from) {
        try {
            return JsonMessages.object(given.substring(from));
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the text after the name is not a JSON object", e);
        }
    }

    /** Returns the newest schema of a name. */
    private Schema schema(String name) {
        return schemas.schemas().values().stream()
                .filter(schema -> schema.name().equals(name))
                .reduce((older, newer) -> newer)
                .orElseThrow(() -> new IllegalArgumentException("the map has no schema of that name"));
    }

    /** Returns bytes as one line of text, with control characters escaped. */
    String plain(String what, byte[] bytes, ByteForm form) {
        return switch (form) {
            case AUTO -> guessed(bytes);
            case TEXT -> Printable.text(new String(bytes, StandardCharsets.UTF_8));
            case HEX -> HEX.formatHex(bytes);
            case BASE64 -> Base64.getEncoder().encodeToString(bytes);
            case INT, LONG, DOUBLE -> number(what, bytes, form).toString();
            case RECORD -> typed(bytes).map(MessagePrinter::plain).orElseThrow(() -> another(what, bytes, form));
        };
    }

    private String guessed(byte[] bytes) {
        String text = JsonMessages.text(bytes);
        return typed(bytes)
                .map(MessagePrinter::plain)
                .orElseGet(() -> text == null ? HEX_PREFIX + HEX.formatHex(bytes) : Printable.text(text));
    }

    /** Returns whether bytes are a typed value of a known schema. */
    boolean isTyped(byte[] bytes) {
        return typed(bytes).isPresent();
    }

    /** Returns whether bytes are a record of a known schema, and of the given name unless that is null. */
    boolean isRecord(byte[] bytes, @Nullable String name) {
        return typed(bytes)
                .map(TypedValue::schema)
                .filter(schema ->
                        !schema.isMethod() && (name == null || schema.name().equals(name)))
                .isPresent();
    }

    private Optional<TypedValue> typed(byte[] bytes) {
        return typed.read(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Returns whether bytes can be shown in a form: a number needs a fixed count of bytes. */
    private static boolean fits(byte[] bytes, ByteForm form) {
        return switch (form) {
            case INT -> bytes.length == Integer.BYTES;
            case LONG, DOUBLE -> bytes.length == Long.BYTES;
            default -> true;
        };
    }

    private static Object number(String what, byte[] bytes, ByteForm form) {
        if (!fits(bytes, form)) {
            throw another(what, bytes, form);
        }
        ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        return switch (form) {
            case INT -> buffer.getInt();
            case LONG -> buffer.getLong();
            default -> buffer.getDouble();
        };
    }

    private static LarderException another(String what, byte[] bytes, ByteForm form) {
        return new LarderException("a " + what + " of " + bytes.length + " bytes is not a valid " + name(form));
    }

    /**
     * Returns bytes as a JSON object, from which {@link #parse(Map, Map, SchemaMapping)} restores them byte for byte.
     */
    Map<String, @Nullable Object> json(String what, byte[] bytes, ByteForm form) {
        Map<String, @Nullable Object> json = new LinkedHashMap<>();
        switch (form) {
            case AUTO, RECORD, TEXT -> putGuessed(json, bytes);
            case HEX -> json.put("hex", HEX.formatHex(bytes));
            case BASE64 -> json.put("base64", Base64.getEncoder().encodeToString(bytes));
            case INT, LONG, DOUBLE -> putNumber(json, number(what, bytes, form), bytes, form);
        }
        return json;
    }

    /**
     * Returns bytes as {@link #json} does. Bytes that do not fit the form are shown as they seem to be; used for output after a
     * change.
     */
    Map<String, @Nullable Object> fittingJson(String what, byte[] bytes, ByteForm form) {
        return json(what, bytes, fits(bytes, form) ? form : ByteForm.AUTO);
    }

    private static void putNumber(Map<String, @Nullable Object> json, Object number, byte[] bytes, ByteForm form) {
        if (number instanceof Double value && !comesBack(value)) {
            json.put("base64", Base64.getEncoder().encodeToString(bytes));
        } else {
            json.put(name(form), number);
        }
    }

    /** Returns whether an import of the decimal digits restores a number: they have no -0.0, NaN or infinity. */
    private static boolean comesBack(double value) {
        return Double.isFinite(value)
                && Double.doubleToRawLongBits(value)
                        == Double.doubleToRawLongBits(new BigDecimal(Double.toString(value)).doubleValue());
    }

    private void putGuessed(Map<String, @Nullable Object> json, byte[] bytes) {
        Optional<TypedValue> value = typed(bytes).filter(read -> JsonMessages.comesBack(read, bytes, typed.values()));
        String text = JsonMessages.text(bytes);
        if (value.isPresent()) {
            json.put("schema", schemaNumber(bytes));
            json.put(TypedMessageReader.kind(value.get()), value.get().schema().name());
            json.put("value", value.get().components());
        } else if (text != null) {
            json.put("text", text);
        } else {
            json.put("base64", Base64.getEncoder().encodeToString(bytes));
        }
    }

    /** Returns the schema number with which a typed value begins: {@code | fd | number 3 |}. */
    private static int schemaNumber(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).getInt() >>> 8;
    }

    /** Returns the stored schemas, by their numbers. */
    public Map<Integer, Schema> schemas() {
        return schemas.schemas();
    }

    /** Returns the bytes of a JSON object. Typed values are read by the schemas that came before it. */
    public byte[] parse(Map<?, ?> json, Map<Integer, Schema> known, SchemaMapping mapping) {
        if (json.get("value") instanceof Map<?, ?> components && json.get("schema") instanceof Number number) {
            return encode(JsonMessages.schemaNumber(number), components, known);
        }
        if (json.get("base64") instanceof String encoded) {
            return mapping.translate(Base64.getDecoder().decode(encoded));
        }
        for (ByteForm form : ByteForm.values()) {
            Object given = json.get(name(form));
            if (given != null && form != ByteForm.RECORD && form != ByteForm.AUTO) {
                byte[] bytes = parse("entry", given.toString(), form);
                return form == ByteForm.HEX ? mapping.translate(bytes) : bytes; // they may be a typed value
            }
        }
        throw new IllegalArgumentException("it has neither text, hex, base64, a number, nor value and schema");
    }

    private byte[] encode(int number, Map<?, ?> components, Map<Integer, Schema> known) {
        Schema schema = known.get(number);
        if (schema == null) {
            throw new IllegalArgumentException("schema " + number + " did not come before it");
        }
        return JsonMessages.encode(new TypedValue(schema, JsonMessages.named(components)), typed.values());
    }
}

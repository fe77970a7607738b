package dev.larder.codec.schema;

import dev.larder.codec.SchemaType.Simple;
import dev.larder.codec.TypedValue;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The conversions of values of simple types to and from JSON; see {@link TypedValue}. */
public final class JsonForm {

    private JsonForm() {}

    public static ValueCode of(Simple type) {
        ValueCode kept = SimpleCode.of(type);
        return switch (type) {
            case BOOLEAN, TEXT -> kept;
            case BYTE -> form(kept, value -> whole(value).byteValueExact(), Function.identity());
            case SHORT -> form(kept, value -> whole(value).shortValueExact(), Function.identity());
            case INT -> form(kept, value -> whole(value).intValueExact(), Function.identity());
            case LONG -> form(kept, value -> whole(value).longValueExact(), Function.identity());
            case CHAR -> form(kept, JsonForm::toChar, JsonForm::fromChar);
            case FLOAT -> form(kept, value -> Float.valueOf(value.toString()), JsonForm::fromFraction);
            case DOUBLE -> form(kept, value -> Double.valueOf(value.toString()), JsonForm::fromFraction);
            case INSTANT -> form(kept, value -> Instant.parse(value.toString()), Object::toString);
            case DURATION -> form(kept, value -> Duration.parse(value.toString()), Object::toString);
            case DATE -> form(kept, value -> LocalDate.parse(value.toString()), Object::toString);
            case TIME -> form(kept, value -> LocalTime.parse(value.toString()), Object::toString);
            case UUID -> form(kept, value -> UUID.fromString(value.toString()), Object::toString);
            case DECIMAL -> form(kept, value -> new BigDecimal(value.toString()), Object::toString);
            case BYTES ->
                form(
                        kept,
                        value -> Base64.getDecoder().decode(value.toString()),
                        value -> Base64.getEncoder().encodeToString((byte[]) value));
        };
    }

    private static ValueCode form(ValueCode kept, Function<Object, Object> parse, Function<Object, Object> print) {
        return new MaybeCode.Converted(
                kept,
                value -> value == null ? null : parsed(value, parse),
                value -> value == null ? null : print.apply(value));
    }

    private static Object parsed(Object value, Function<Object, Object> parse) {
        try {
            return parse.apply(value);
        } catch (DateTimeException | ArithmeticException e) {
            throw new IllegalArgumentException("\"" + value + "\": " + e.getMessage(), e);
        }
    }

    private static BigDecimal whole(Object value) {
        return new BigDecimal(value.toString());
    }

    private static Object toChar(Object value) {
        String text = value.toString();
        return text.length() == 1 && !(value instanceof Number)
                ? text.charAt(0)
                : (char) whole(value).intValueExact();
    }

    private static Object fromChar(Object value) {
        char letter = (Character) value;
        return Character.isSurrogate(letter) ? (Object) (int) letter : value.toString();
    }

    private static Object fromFraction(Object value) {
        double number = ((Number) value).doubleValue();
        return Double.isFinite(number) ? value : value.toString();
    }

    /** Returns the form of maps whose keys are not texts: a list of pairs. */
    public static ValueCode pairs(ValueCode map) {
        return new MaybeCode.Converted(
                map,
                value -> value == null ? null : toMap((List<?>) value),
                value -> value == null ? null : fromMap((Map<?, ?>) value));
    }

    private static Map<@Nullable Object, @Nullable Object> toMap(List<?> pairs) {
        Map<@Nullable Object, @Nullable Object> map = new LinkedHashMap<>();
        pairs.forEach(pair -> map.put(((List<?>) pair).get(0), ((List<?>) pair).get(1)));
        return map;
    }

    private static List<List<@Nullable Object>> fromMap(Map<?, ?> map) {
        List<List<@Nullable Object>> pairs = new ArrayList<>();
        map.forEach((key, value) -> {
            List<@Nullable Object> pair = new ArrayList<>();
            pair.add(key);
            pair.add(value);
            pairs.add(pair);
        });
        return pairs;
    }
}

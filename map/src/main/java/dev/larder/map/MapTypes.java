package dev.larder.map;

import dev.larder.codec.ValueCodec;
import java.nio.charset.StandardCharsets;

/**
 * The names of a map's codecs ({@link ValueCodec#name}), which the map stores. Each has 1 to 255 bytes of UTF-8, without
 * control characters.
 *
 * @param keyCodec the name of the codec of the keys
 * @param valueCodec the name of the codec of the values
 */
public record MapTypes(String keyCodec, String valueCodec) {

    /** The largest number of bytes of a name. */
    public static final int NAME_MAX_BYTES = 255;

    /** Creates the names of two codecs; each must be within its limits. */
    public MapTypes {
        check("keys", keyCodec);
        check("values", valueCodec);
    }

    /** Returns the names of two codecs. */
    public static MapTypes of(ValueCodec<?> keys, ValueCodec<?> values) {
        return new MapTypes(keys.name(), values.name());
    }

    private static void check(String what, String name) {
        int bytes = name.getBytes(StandardCharsets.UTF_8).length;
        if (bytes < 1 || bytes > NAME_MAX_BYTES || name.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the name of the codec of " + what + " has 1 to " + NAME_MAX_BYTES
                    + " bytes of UTF-8 without control characters, not " + bytes + ": \"" + name.strip() + "\"");
        }
    }

    @Override
    public String toString() {
        return "keys " + keyCodec + " and values " + valueCodec;
    }
}

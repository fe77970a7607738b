package dev.larder.codec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A typed message for a program without its types, as values of JSON: maps, lists, texts, numbers and booleans.
 *
 * <p>An enum is the name of its constant. {@code bytes} are Base64. A {@code decimal} and the types of time are the
 * texts of their Java classes. A number that is not finite is {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}.
 * An unpaired surrogate is a number. A map whose keys are not texts is a list of pairs.
 *
 * @param schema of the message
 * @param components by name
 */
@SuppressWarnings("exports") // users of this class do not need the annotations
public record TypedValue(Schema schema, Map<String, @Nullable Object> components) {}

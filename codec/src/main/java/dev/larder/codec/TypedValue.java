package dev.larder.codec;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A typed message without the program's types, made of what JSON has: maps, lists, texts, numbers and booleans.
 *
 * <p>An enum is the name of its constant, {@code bytes} are Base64, a {@code decimal} and the types of time are the texts
 * of their Java classes, a number that is not finite is {@code "NaN"}, {@code "Infinity"} or {@code "-Infinity"}, a half of
 * a surrogate pair is a number. A map whose keys are no texts is a list of pairs.
 *
 * @param schema how the message is written
 * @param components by name
 */
@SuppressWarnings("exports") // who uses this does not need the annotations
public record TypedValue(Schema schema, Map<String, @Nullable Object> components) {}

package dev.larder.array.ratis;

import java.lang.reflect.Field;
import java.util.Objects;

/** Fields of Ratis' objects that its API does not show. */
final class RatisFields {

    private RatisFields() {}

    static Object get(Object owner, String name) {
        try {
            return Objects.requireNonNull(field(owner, name).get(owner));
        } catch (ReflectiveOperationException e) {
            throw missing(owner, name, e);
        }
    }

    static void set(Object owner, String name, Object value) {
        try {
            field(owner, name).set(owner, value);
        } catch (ReflectiveOperationException e) {
            throw missing(owner, name, e);
        }
    }

    private static Field field(Object owner, String name) throws ReflectiveOperationException {
        Field field = owner.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static LinkageError missing(Object owner, String name, ReflectiveOperationException cause) {
        return new LinkageError(owner.getClass() + " has no field " + name, cause);
    }
}

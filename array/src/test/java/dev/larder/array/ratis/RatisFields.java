package dev.larder.array.ratis;

import java.lang.reflect.Field;
import java.util.Objects;

/** Fields of Ratis' objects that its API does not show. */
final class RatisFields {

    private RatisFields() {}

    static Object get(Object owner, String name) {
        try {
            Field field = owner.getClass().getDeclaredField(name);
            field.setAccessible(true);
            return Objects.requireNonNull(field.get(owner));
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(owner.getClass() + " has no field " + name, e);
        }
    }
}

package dev.larder.server.store;

import java.util.Locale;

/** Which keys are evicted where {@code maxmemory} is exceeded, by the names of {@code maxmemory-policy}. */
public enum EvictionPolicy {
    /** None: commands that need memory are refused. */
    NOEVICTION(false, Order.ANY),
    /** Those that were not used lately. */
    ALLKEYS_LRU(false, Order.UNUSED),
    /** The same as {@link #ALLKEYS_LRU}: how often keys are used is not counted. */
    ALLKEYS_LFU(false, Order.UNUSED),
    /** Any. */
    ALLKEYS_RANDOM(false, Order.ANY),
    /** Of those that expire, those that were not used lately. */
    VOLATILE_LRU(true, Order.UNUSED),
    /** The same as {@link #VOLATILE_LRU}. */
    VOLATILE_LFU(true, Order.UNUSED),
    /** Any of those that expire. */
    VOLATILE_RANDOM(true, Order.ANY),
    /** Those that expire first. */
    VOLATILE_TTL(true, Order.DEADLINE);

    /** Which of some keys go first. */
    enum Order {
        ANY,
        /** What was not used since it was last asked; of those, what was written longest ago. */
        UNUSED,
        DEADLINE
    }

    private final boolean onlyVolatile;
    private final Order order;

    EvictionPolicy(boolean onlyVolatile, Order order) {
        this.onlyVolatile = onlyVolatile;
        this.order = order;
    }

    /** Returns the policy of a name, as {@code allkeys-lru}. */
    public static EvictionPolicy of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns whether only keys are evicted that expire. */
    public boolean isOnlyVolatile() {
        return onlyVolatile;
    }

    /** Returns whether it matters which keys were used. */
    public boolean asksUses() {
        return order == Order.UNUSED;
    }

    /** Returns whether its name says that it asks how often keys are used. */
    public boolean isByFrequency() {
        return this == ALLKEYS_LFU || this == VOLATILE_LFU;
    }

    Order order() {
        return order;
    }
}

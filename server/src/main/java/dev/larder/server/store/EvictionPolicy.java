package dev.larder.server.store;

import java.util.Locale;

/** Which keys are evicted when {@code maxmemory} is exceeded, named as in {@code maxmemory-policy}. */
public enum EvictionPolicy {
    /** None: commands that need memory are refused. */
    NOEVICTION(false, Order.ANY),
    /** Keys that were not used recently. */
    ALLKEYS_LRU(false, Order.UNUSED),
    /** The same as {@link #ALLKEYS_LRU}: how often keys are used is not counted. */
    ALLKEYS_LFU(false, Order.UNUSED),
    /** Any key. */
    ALLKEYS_RANDOM(false, Order.ANY),
    /** Of the keys that expire, those that were not used recently. */
    VOLATILE_LRU(true, Order.UNUSED),
    /** The same as {@link #VOLATILE_LRU}. */
    VOLATILE_LFU(true, Order.UNUSED),
    /** Any key that expires. */
    VOLATILE_RANDOM(true, Order.ANY),
    /** The keys that expire first. */
    VOLATILE_TTL(true, Order.DEADLINE);

    /** The order in which keys are evicted. */
    enum Order {
        ANY,
        /** Keys that were not used since their last check go first; among them, those written longest ago. */
        UNUSED,
        DEADLINE
    }

    private final boolean onlyVolatile;
    private final Order order;

    EvictionPolicy(boolean onlyVolatile, Order order) {
        this.onlyVolatile = onlyVolatile;
        this.order = order;
    }

    /** Returns the policy with a name such as {@code allkeys-lru}. */
    public static EvictionPolicy of(String name) {
        return valueOf(name.toUpperCase(Locale.ROOT).replace('-', '_'));
    }

    /** Returns whether only keys that expire are evicted. */
    public boolean isOnlyVolatile() {
        return onlyVolatile;
    }

    /** Returns whether the policy considers which keys were used. */
    public boolean asksUses() {
        return order == Order.UNUSED;
    }

    /** Returns whether the policy's name says that it counts how often keys are used. */
    public boolean isByFrequency() {
        return this == ALLKEYS_LFU || this == VOLATILE_LFU;
    }

    Order order() {
        return order;
    }
}

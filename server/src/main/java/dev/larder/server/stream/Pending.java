package dev.larder.server.stream;

/** An entry that a consumer of a group has received and not acknowledged. */
public final class Pending {

    private final StreamId id;
    private GroupConsumer consumer;
    private long deliveredMillis;
    private long deliveries;

    Pending(StreamId id, GroupConsumer consumer, long deliveredMillis, long deliveries) {
        this.id = id;
        this.consumer = consumer;
        this.deliveredMillis = deliveredMillis;
        this.deliveries = deliveries;
    }

    /** Returns the id of the entry. */
    public StreamId id() {
        return id;
    }

    /** Returns the consumer that has it. */
    public GroupConsumer consumer() {
        return consumer;
    }

    /** Returns when it was last delivered, in milliseconds since 1970. */
    public long deliveredMillis() {
        return deliveredMillis;
    }

    /** Returns how often it was delivered. */
    public long deliveries() {
        return deliveries;
    }

    void set(GroupConsumer owner, long millis, long count) {
        consumer = owner;
        deliveredMillis = millis;
        deliveries = count;
    }
}

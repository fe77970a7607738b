package dev.larder.log;

import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Options for creating and opening a log: four concerns, each a small record with its defaults and ranges. Immutable;
 * each {@code with} returns a changed copy. The most common changes have a shortcut:
 *
 * <pre>{@code
 * LogOptions.defaults()
 *         .withSync(SyncPolicy.everyAppend())
 *         .withLayout(layout -> layout.withAllocation(Allocation.ZEROS))
 * }</pre>
 *
 * <p>{@link LogDurability#integrity} and {@link LogLayout#largestSegmentBytes} belong to the log. They take effect when
 * it is created, and a later opening with another value is refused. All other options belong to one opening.
 */
@SuppressWarnings("exports") // callers do not need the annotations of nullness
public final class LogOptions {

    private final LogLayout layout;
    private final LogDurability durability;
    private final LogRetention retention;
    private final LogAccess access;

    /** Hooks of tests and of the map, or null: {@code layer.HookedOptions} reads and changes them. */
    private final @Nullable Object hooks;

    private LogOptions(
            LogLayout layout,
            LogDurability durability,
            LogRetention retention,
            LogAccess access,
            @Nullable Object hooks) {
        this.layout = Objects.requireNonNull(layout, "layout");
        this.durability = Objects.requireNonNull(durability, "durability");
        this.retention = Objects.requireNonNull(retention, "retention");
        this.access = Objects.requireNonNull(access, "access");
        this.hooks = hooks;
    }

    /** Returns the sizes of the files, and how their space is allocated. */
    public LogLayout layout() {
        return layout;
    }

    /** Returns the protection of records, and when they reach the disk. */
    public LogDurability durability() {
        return durability;
    }

    /** Returns the retention; none means the retention that the log was created with. */
    public LogRetention retention() {
        return retention;
    }

    /** Returns the access to the files, by other users and by this opening. */
    public LogAccess access() {
        return access;
    }

    /** Returns the defaults of every concern. */
    public static LogOptions defaults() {
        return new LogOptions(
                LogLayout.defaults(), LogDurability.defaults(), LogRetention.none(), LogAccess.defaults(), null);
    }

    /** Returns a copy with a changed {@link #layout}. */
    public LogOptions withLayout(UnaryOperator<LogLayout> change) {
        return new LogOptions(change.apply(layout), durability, retention, access, hooks);
    }

    /** Returns a copy with a changed {@link #durability}. */
    public LogOptions withDurability(UnaryOperator<LogDurability> change) {
        return new LogOptions(layout, change.apply(durability), retention, access, hooks);
    }

    /** Returns a copy with a changed {@link #retention}. */
    public LogOptions withRetention(UnaryOperator<LogRetention> change) {
        return new LogOptions(layout, durability, change.apply(retention), access, hooks);
    }

    /** Returns a copy with a changed {@link #access}. */
    public LogOptions withAccess(UnaryOperator<LogAccess> change) {
        return new LogOptions(layout, durability, retention, change.apply(access), hooks);
    }

    /** Returns a copy with another {@link LogLayout#largestSegmentBytes}. */
    public LogOptions withLargestSegmentBytes(long bytes) {
        return withLayout(layout -> layout.withLargestSegmentBytes(bytes));
    }

    /** Returns a copy with other {@link LogLayout#prepareBytes}. */
    public LogOptions withPrepareBytes(long bytes) {
        return withLayout(layout -> layout.withPrepareBytes(bytes));
    }

    /** Returns a copy with another {@link LogDurability#integrity}. */
    public LogOptions withIntegrity(IntegrityMode mode) {
        return withDurability(durability -> durability.withIntegrity(mode));
    }

    /** Returns a copy with another {@link LogDurability#sync}. */
    public LogOptions withSync(SyncPolicy policy) {
        return withDurability(durability -> durability.withSync(policy));
    }

    /** Returns a copy with another {@link LogAccess#readOnly}. */
    public LogOptions withReadOnly(boolean only) {
        return withAccess(access -> access.withReadOnly(only));
    }

    /** Returns a copy with other {@link LogAccess#verifyReads}. */
    public LogOptions withVerifyReads(boolean verify) {
        return withAccess(access -> access.withVerifyReads(verify));
    }

    /** Returns a copy with another {@link LogAccess#allowRemote}. */
    public LogOptions withAllowRemote(boolean allow) {
        return withAccess(access -> access.withAllowRemote(allow));
    }

    /** Used by {@code layer.HookedOptions}, which finds it by its name. */
    @SuppressWarnings("unused")
    private LogOptions withHooks(@Nullable Object changed) {
        return new LogOptions(layout, durability, retention, access, changed);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LogOptions that
                && layout.equals(that.layout)
                && durability.equals(that.durability)
                && retention.equals(that.retention)
                && access.equals(that.access)
                && Objects.equals(hooks, that.hooks);
    }

    @Override
    public int hashCode() {
        return Objects.hash(layout, durability, retention, access, hooks);
    }

    @Override
    public String toString() {
        return "LogOptions[layout=" + layout + ", durability=" + durability + ", retention=" + retention + ", access="
                + access + "]";
    }
}

package dev.larder.log;

import dev.larder.memory.Storage;
import java.util.function.UnaryOperator;

/**
 * How a log is created and opened: five concerns, each a small record with its defaults and ranges. Immutable; each
 * {@code with} returns a changed copy. What is changed most often has a short cut:
 *
 * <pre>{@code
 * LogOptions.defaults()
 *         .withSync(SyncPolicy.everyAppend())
 *         .withLayout(layout -> layout.withAllocation(Allocation.ZEROS))
 * }</pre>
 *
 * <p>{@link LogDurability#integrity} and {@link LogLayout#largestSegmentBytes} belong to the log: they take effect when it
 * is created, and opening it later with another value is refused. The rest belongs to this opening.
 *
 * @param layout how the files are cut, and where their space comes from
 * @param durability what protects records, and when they reach the disk
 * @param retention what may be dropped; none: as the log was created
 * @param access who may come to the files, and how this opening does
 * @param doors what the log stands on, and who looks on
 */
public record LogOptions(
        LogLayout layout, LogDurability durability, LogRetention retention, LogAccess access, LogDoors doors) {

    /** Returns the defaults of every concern. */
    public static LogOptions defaults() {
        return new LogOptions(
                LogLayout.defaults(),
                LogDurability.defaults(),
                LogRetention.none(),
                LogAccess.defaults(),
                LogDoors.defaults());
    }

    /** Returns a copy with a changed {@link #layout}. */
    public LogOptions withLayout(UnaryOperator<LogLayout> change) {
        return new LogOptions(change.apply(layout), durability, retention, access, doors);
    }

    /** Returns a copy with a changed {@link #durability}. */
    public LogOptions withDurability(UnaryOperator<LogDurability> change) {
        return new LogOptions(layout, change.apply(durability), retention, access, doors);
    }

    /** Returns a copy with a changed {@link #retention}. */
    public LogOptions withRetention(UnaryOperator<LogRetention> change) {
        return new LogOptions(layout, durability, change.apply(retention), access, doors);
    }

    /** Returns a copy with a changed {@link #access}. */
    public LogOptions withAccess(UnaryOperator<LogAccess> change) {
        return new LogOptions(layout, durability, retention, change.apply(access), doors);
    }

    /** Returns a copy with changed {@link #doors}. */
    public LogOptions withDoors(UnaryOperator<LogDoors> change) {
        return new LogOptions(layout, durability, retention, access, change.apply(doors));
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

    /** Returns a copy with another {@link LogDoors#storage}. */
    public LogOptions withStorage(Storage place) {
        return withDoors(doors -> doors.withStorage(place));
    }

    /** Returns a copy with another listener of {@link LogDoors#steps}. */
    public LogOptions withSteps(Steps listener) {
        return withDoors(doors -> doors.withSteps(listener));
    }

    public Storage storage() {
        return doors.storage();
    }

    public ClaimResolver resolver() {
        return doors.resolver();
    }

    public Steps steps() {
        return doors.steps();
    }
}

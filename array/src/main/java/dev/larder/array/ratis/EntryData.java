package dev.larder.array.ratis;

import dev.larder.array.stripe.EntryValues;
import dev.larder.array.stripe.StripeState.Place;
import dev.larder.memory.LarderException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.statemachine.StateMachine;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;

/**
 * The large values of entries, under the name that Ratis gives them. It sends an entry with its values, and logs it without them.
 *
 * <pre>
 * write | before the entry is in the log of this member, in the order of the entries, under the log's lock
 * flush | before the log is synced, and so before this member acknowledges
 * read  | as the entry is sent to a member that lacks it
 * </pre>
 *
 * A failed write or flush stops the member, as a log does that cannot be written. A value that cannot be read is reported, and
 * the member that lacks it gets nothing; this member continues.
 */
final class EntryData implements StateMachine.DataApi {

    private static final CompletableFuture<Void> DONE = CompletableFuture.completedFuture(null);

    private final EntryValues values;

    EntryData(EntryValues values) {
        this.values = values;
    }

    /** Returns whether an entry has values elsewhere, whether it carries them now or not. */
    static boolean isIn(LogEntryProto entry) {
        return entry.hasStateMachineLogEntry()
                && entry.getStateMachineLogEntry().hasStateMachineEntry();
    }

    /** Begins a split entry; empty if it has no large values. */
    Optional<TransactionContext> split(StateMachine machine, RaftClientRequest request) {
        return values.split(request.getMessage().getContent().asReadOnlyByteBuffer())
                .map(parts -> TransactionContext.newBuilder()
                        .setStateMachine(machine)
                        .setClientRequest(request)
                        .setLogData(UnsafeByteOperations.unsafeWrap(parts.log()))
                        .setStateMachineData(UnsafeByteOperations.unsafeWrap(parts.values()))
                        .build());
    }

    /** Returns the values of an entry that is being applied: mostly they came with it. */
    ByteBuffer values(LogEntryProto entry) {
        ByteString with = with(entry);
        return with.isEmpty()
                ? values.read(place(entry))
                        .orElseThrow(() -> new IllegalStateException(
                                "entry " + entry.getIndex() + " must be applied, but its values are missing"))
                : with.asReadOnlyByteBuffer();
    }

    private static ByteString with(LogEntryProto entry) {
        return entry.getStateMachineLogEntry().getStateMachineEntry().getStateMachineData();
    }

    private static Place place(LogEntryProto entry) {
        return new Place(entry.getTerm(), entry.getIndex());
    }

    @Override
    public CompletableFuture<?> write(LogEntryProto entry) {
        StateMachineLogEntryProto own = entry.getStateMachineLogEntry();
        try {
            values.write(
                    place(entry),
                    own.getLogData().asReadOnlyByteBuffer(),
                    with(entry).asReadOnlyByteBuffer());
            return DONE;
        } catch (LarderException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<ByteString> read(LogEntryProto entry) {
        try {
            Optional<ByteBuffer> found = values.read(place(entry));
            return found.isPresent()
                    ? CompletableFuture.completedFuture(UnsafeByteOperations.unsafeWrap(found.get()))
                    : CompletableFuture.failedFuture(new EntryGoneException(entry.getIndex()));
        } catch (LarderException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    @Override
    public CompletableFuture<Void> flush(long index) {
        try {
            values.sync();
            return DONE;
        } catch (LarderException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    /** Ratis 3.3.0 passes the first entry that goes, and documents the last one that stays: so the passed entry is kept here. */
    @Override
    public CompletableFuture<Void> truncate(long index) {
        values.truncate(index);
        return DONE;
    }
}

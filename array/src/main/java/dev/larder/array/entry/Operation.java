package dev.larder.array.entry;

import java.util.List;

/**
 * A unit that takes effect at once: a command, or a transaction.
 *
 * @param isTransaction whether it is a transaction, which may have no command at all
 * @param watched keys that must be unchanged, or no command of the transaction is run
 * @param calls the commands in their order; one, if it is no transaction
 */
public record Operation(boolean isTransaction, List<WatchedKey> watched, List<EntryCall> calls) {

    /** Creates an operation; the lists are copied. */
    public Operation {
        watched = List.copyOf(watched);
        calls = List.copyOf(calls);
        if (!isTransaction && (calls.size() != 1 || !watched.isEmpty())) {
            throw new IllegalArgumentException("a command has one call and watches no key");
        }
    }

    /** Returns an operation of one command. */
    public static Operation of(EntryCall call) {
        return new Operation(false, List.of(), List.of(call));
    }

    /** Returns the bytes of the operation in an entry. */
    public int sizeBytes() {
        int bytes = Entry.OPERATION_BYTES;
        for (WatchedKey key : watched) {
            bytes += Entry.WATCHED_BYTES + key.key().length;
        }
        for (EntryCall call : calls) {
            bytes += Entry.CALL_BYTES + call.request().length;
        }
        return bytes;
    }
}

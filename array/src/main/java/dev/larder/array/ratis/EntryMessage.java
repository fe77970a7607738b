package dev.larder.array.ratis;

import dev.larder.array.stripe.EntryReads;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * An entry on its way into the log, with its reads: Ratis keeps the request of an entry until its leader has applied it.
 *
 * @param term the only term in which the entry may be appended, or {@link #ANY_TERM}
 */
record EntryMessage(ByteString content, EntryReads reads, long term) implements Message {

    static final long ANY_TERM = -1;

    @Override
    public ByteString getContent() {
        return content;
    }

    /**
     * Checks that an entry may be appended in a term.
     *
     * @throws OtherTermException if it may not
     */
    static void requireTerm(TransactionContext transaction, long now) throws OtherTermException {
        RaftClientRequest request = transaction.getClientRequest();
        if (request != null
                && request.getMessage() instanceof EntryMessage message
                && message.term != ANY_TERM
                && message.term != now) {
            throw new OtherTermException(message.term, now);
        }
    }

    /** Returns the reads that came with an entry; none if another leader made the entry. */
    static EntryReads reads(TransactionContext transaction) {
        RaftClientRequest request = transaction.getClientRequest();
        return request != null && request.getMessage() instanceof EntryMessage message
                ? message.reads
                : EntryReads.NONE;
    }
}

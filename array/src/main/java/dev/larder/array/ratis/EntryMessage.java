package dev.larder.array.ratis;

import dev.larder.array.stripe.EntryReads;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;

/**
 * An entry on its way into the log, with its reads: Ratis keeps the request of an entry until its leader has applied it.
 */
record EntryMessage(ByteString content, EntryReads reads) implements Message {

    @Override
    public ByteString getContent() {
        return content;
    }

    /** Returns the reads that came with an entry; none if another leader made the entry. */
    static EntryReads reads(TransactionContext transaction) {
        RaftClientRequest request = transaction.getClientRequest();
        return request != null && request.getMessage() instanceof EntryMessage message
                ? message.reads
                : EntryReads.NONE;
    }
}

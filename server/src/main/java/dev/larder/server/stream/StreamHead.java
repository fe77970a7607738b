package dev.larder.server.stream;

import java.nio.ByteBuffer;

/**
 * The state of a stream beside its entries, as a record of the store. It is written when it changes other than by an added
 * entry. Entries that were added since are read from the queue behind {@link #checked}.
 *
 * @param checked how many messages of the queue are counted in this record
 * @param first the sequence of the first entry
 * @param last the greatest id of all time, or what {@code XSETID} has set
 * @param added how many entries were added ever
 * @param greatestDeleted the greatest id that was deleted
 * @param foreign how many messages of the queue are not entries, or came with a wrong id
 * @param changes how many changes there were other than by added entries, as far as that was noted
 */
record StreamHead(
        long checked, long first, StreamId last, long added, StreamId greatestDeleted, long foreign, long changes) {

    private static final int BYTES = 9 * 8;

    byte[] encode() {
        ByteBuffer bytes = ByteBuffer.allocate(BYTES);
        bytes.putLong(checked).putLong(first);
        bytes.putLong(last.millis()).putLong(last.number());
        bytes.putLong(added);
        bytes.putLong(greatestDeleted.millis()).putLong(greatestDeleted.number());
        bytes.putLong(foreign).putLong(changes);
        return bytes.array();
    }

    static StreamHead decode(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        return new StreamHead(
                bytes.getLong(),
                bytes.getLong(),
                new StreamId(bytes.getLong(), bytes.getLong()),
                bytes.getLong(),
                new StreamId(bytes.getLong(), bytes.getLong()),
                bytes.getLong(),
                bytes.getLong());
    }
}

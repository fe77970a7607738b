package dev.larder.array.entry;

/**
 * A command of an entry.
 *
 * @param replyVersion in which version of the protocol its client is answered: 2 or 3
 * @param request the command with its arguments, as a client sends them: an array of RESP2
 */
@SuppressWarnings("ArrayRecordComponent") // its bytes are copied into the entry once, and compared by nobody
public record EntryCall(int replyVersion, byte[] request) {}

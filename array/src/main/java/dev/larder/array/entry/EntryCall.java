package dev.larder.array.entry;

/**
 * A command of an entry.
 *
 * @param replyVersion the version of the protocol in which its client gets the reply: 2 or 3
 * @param request the command with its arguments, as a client sends them: an array of RESP2
 */
@SuppressWarnings("ArrayRecordComponent") // its bytes are copied into the entry once, and never compared
public record EntryCall(int replyVersion, byte[] request) {}

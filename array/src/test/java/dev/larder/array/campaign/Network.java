package dev.larder.array.campaign;

import java.util.List;

/** Where nodes listen, and which of them reach each other. Clients reach all. */
interface Network extends AutoCloseable {

    /** Returns the addresses of a node: host, port for clients, for Raft and for links, parted by colons. */
    String addresses(int node);

    /** Returns what stands ahead of a command so that it runs where a node is. */
    List<String> prefix(int node);

    /** Returns whether a node's files are seen only where it is. */
    boolean hidesFiles(int node);

    /** Returns whether {@link #cut} is possible. */
    boolean canCut();

    /** Has packets from one node to another be lost. */
    void cut(int from, int to);

    /** Undoes all cuts. */
    void heal();

    /** Has this thread, which is to be a client's, be where the clients are. */
    void enter();

    @Override
    void close();
}

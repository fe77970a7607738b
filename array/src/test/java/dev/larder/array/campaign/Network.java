package dev.larder.array.campaign;

import java.util.List;

/** The network of a run: where nodes listen, and which of them reach each other. Clients reach all nodes. */
interface Network extends AutoCloseable {

    /** Returns the addresses of a node: host, port for clients, for Raft and for links, parted by colons. */
    String addresses(int node);

    /** Returns the words ahead of a command that make it run where a node is. */
    List<String> prefix(int node);

    /** Returns whether a node's files are visible only where the node is. */
    boolean hidesFiles(int node);

    /** Returns whether {@link #cut} is possible. */
    boolean canCut();

    /** Drops the packets from one node to another. */
    void cut(int from, int to);

    /** Undoes all cuts. */
    void heal();

    /** Moves this thread, which is to be a client's, to where the clients are. */
    void enter();

    @Override
    void close();
}

package dev.larder.server.dump;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.stream.UnnamedStream;

/** The stream of a dump, to which {@code RESTORE} gives a name. An error of the dump is an error of the command. */
public final class RestoredStream extends UnnamedStream {

    private final Bytes dump;
    private final Store store;

    /** Creates a stream from a dump, which is not begun yet. The bytes of the dump must not change. */
    public RestoredStream(Store store, Bytes dump) {
        super(store, store::streams, dump);
        this.store = store;
        this.dump = dump;
    }

    @Override
    protected void fill() {
        StreamDump read = StreamDump.read(dump, store.valueMaxBytes(), folder().entryMaxBytes());
        begin();
        read.fill(this::use, ENTRIES_AT_ONCE);
    }
}

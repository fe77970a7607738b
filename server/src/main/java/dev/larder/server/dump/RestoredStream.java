package dev.larder.server.dump;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.stream.UnnamedStream;

/** The stream of a dump, which {@code RESTORE} gives its name. An error of the dump is one of the command. */
public final class RestoredStream extends UnnamedStream {

    private final Bytes dump;
    private final Store store;

    /** A stream, which is not there yet, of a dump, whose bytes stay as they are. */
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

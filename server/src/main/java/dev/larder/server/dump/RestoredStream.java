package dev.larder.server.dump;

import dev.larder.resp.ReplyException;
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
        StreamDump read = StreamDump.read(DumpReader.open(dump, store.valueMaxBytes()));
        if (!read.fits(folder()::fits)) {
            throw new ReplyException("ERR an entry is larger than an entry of a stream may be");
        }
        begin();
        read.fill(this::use, ENTRIES_AT_ONCE);
    }
}

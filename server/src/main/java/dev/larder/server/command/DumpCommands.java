package dev.larder.server.command;

import dev.larder.resp.ReplyException;
import dev.larder.server.dump.DumpReader;
import dev.larder.server.dump.RedisDump;
import dev.larder.server.dump.RestoredStream;
import dev.larder.server.dump.StreamDump;
import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyEvent;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.stream.Stream;
import dev.larder.server.stream.UnnamedStream;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** {@code DUMP} and {@code RESTORE}: values in the form in which Redis 7.0 passes them on. */
final class DumpCommands {

    private static final int FIRST_OPTION = 4;
    private static final int FREQUENCY_MAX = 255;

    private DumpCommands() {}

    static Map<String, Handler> all() {
        return Map.of("dump", DumpCommands::dump, "restore", DumpCommands::restore);
    }

    private static void dump(Execution execution) {
        Bytes key = execution.argument(1);
        if (execution.store().holdsStream(key) && execution.store().type(key) == KeyType.STREAM) {
            dumpStream(execution, key);
        } else if (execution.lookUp(key) == Store.ABSENT) {
            execution.reply().nil();
        } else {
            execution.reply().bulk(RedisDump.of(execution.value().bytes()));
        }
    }

    private static void dumpStream(Execution execution, Bytes key) {
        try (@Nullable Stream stream = execution.lookUpStream(key)) {
            if (stream == null) {
                execution.reply().nil();
            } else {
                execution.reply().bulk(execution.dumpOf(stream));
            }
        }
    }

    private static void restore(Execution execution) {
        Options options = Options.parse(execution);
        Store store = execution.store();
        Bytes key = execution.argument(1);
        if (!options.replace() && store.exists(key)) {
            throw new ReplyException("BUSYKEY Target key name already exists.");
        }
        long lifetime = execution.integer(2);
        if (lifetime < 0) {
            throw new ReplyException("ERR Invalid TTL value, must be >= 0");
        }
        Bytes dump = execution.argument(3);
        UnnamedStream stream = StreamDump.isStream(dump)
                ? execution.stream(store, dump, () -> new RestoredStream(store, dump.copy()))
                : null;
        Bytes value = stream == null ? RedisDump.value(DumpReader.open(dump, store.valueMaxBytes())) : Bytes.of("");
        long deadline = Store.ENDLESS;
        if (lifetime > 0) {
            Expiry.Unit unit = options.absolute() ? Expiry.Unit.PXAT : Expiry.Unit.PX;
            long most = options.absolute() ? Long.MAX_VALUE : Long.MAX_VALUE - store.nowMillis(); // Redis refuses none
            deadline = Expiry.any(execution, Math.min(lifetime, most), unit, "restore");
        }
        if (!Expiry.isPast(store, deadline)) {
            if (stream == null) {
                store.putAnew(key, value, deadline);
            } else {
                store.putStream(key, deadline, stream);
            }
            execution.tell(key, KeyEvent.RESTORE);
        } else if (store.remove(key)) {
            execution.tell(key, KeyEvent.DEL);
        }
        execution.reply().ok();
    }

    /** The options of {@code RESTORE}. The frequency or time of a key's uses is only checked, not kept. */
    record Options(boolean replace, boolean absolute) {

        static Options parse(Execution execution) {
            boolean replace = false;
            boolean absolute = false;
            boolean idle = false;
            boolean frequent = false;
            for (int i = FIRST_OPTION; i < execution.count(); i++) {
                boolean more = i + 1 < execution.count();
                if (execution.is(i, "replace")) {
                    replace = true;
                } else if (execution.is(i, "absttl")) {
                    absolute = true;
                } else if (execution.is(i, "idletime") && more && !frequent) {
                    idle = true;
                    check(execution.integer(++i), Long.MAX_VALUE, "ERR Invalid IDLETIME value, must be >= 0");
                } else if (execution.is(i, "freq") && more && !idle) {
                    frequent = true;
                    check(execution.integer(++i), FREQUENCY_MAX, "ERR Invalid FREQ value, must be >= 0 and <= 255");
                } else {
                    throw ReplyException.syntax();
                }
            }
            return new Options(replace, absolute);
        }

        private static void check(long value, long most, String otherwise) {
            if (value < 0 || value > most) {
                throw new ReplyException(otherwise);
            }
        }
    }
}

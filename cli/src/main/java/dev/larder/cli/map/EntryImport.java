package dev.larder.cli.map;

import dev.larder.cli.entry.ByteForm;
import dev.larder.cli.entry.EntryForm;
import dev.larder.cli.entry.EntryStream;
import dev.larder.cli.entry.EntryText;
import dev.larder.cli.entry.JsonMessages;
import dev.larder.cli.entry.LineReader;
import dev.larder.cli.output.Counted;
import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMapping;
import dev.larder.map.LarderMap;
import dev.larder.map.MapTypes;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An import of the entries of an export, JSON lines or bytes, into a map. Typed entries get the map's schema numbers. Entries
 * that the map's codecs do not store are refused.
 */
public final class EntryImport implements AutoCloseable {

    /** Opens the map, or creates it. */
    @FunctionalInterface
    public interface Opener {

        /**
         * Opens the map.
         *
         * @param exported the types of the exported map; empty if the export does not name them
         */
        LarderMap<byte[], byte[]> open(Optional<MapTypes> exported);
    }

    /** The map that gets the entries, and the forms of its keys and values. */
    private record Target(
            LarderMap<byte[], byte[]> map,
            EntryText text,
            SchemaMapping mapping,
            EntryForm keys,
            EntryForm values,
            boolean keysTrusted,
            boolean valuesTrusted) {}

    private static final long LINE_MAX_BYTES = Integer.MAX_VALUE - 16;

    private final MapArguments arguments;
    private final Opener opener;
    private final String source;
    private @Nullable Target target;
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private long line;
    private long entries;
    private long expired;

    public EntryImport(MapArguments arguments, Opener opener, String source) {
        this.arguments = arguments;
        this.opener = opener;
        this.source = source;
    }

    /** Returns the target of the entries, opened by the types at the beginning of the export if it names any. */
    private Target target() {
        Target known = target;
        return known == null ? begin(Optional.empty()) : known;
    }

    private Target begin(Optional<MapTypes> exported) {
        if (target != null) {
            throw new LarderException(source + ": the export does not begin with the types of the map");
        }
        LarderMap<byte[], byte[]> map = opener.open(exported);
        MapTypes types = arguments.types();
        EntryText text = arguments.text();
        Target begun = new Target(
                map,
                text,
                new SchemaMapping(EntryText.codecFolder(arguments.directory(), arguments.options())),
                new EntryForm("key", types.keyCodec(), ByteForm.AUTO, text),
                new EntryForm("value", types.valueCodec(), ByteForm.AUTO, text),
                exported.filter(from -> from.keyCodec().equals(types.keyCodec()))
                        .isPresent(),
                exported.filter(from -> from.valueCodec().equals(types.valueCodec()))
                        .isPresent());
        target = begun;
        return begun;
    }

    /** Returns the map, after all entries were put. */
    LarderMap<byte[], byte[]> map() {
        return target().map();
    }

    @Override
    public void close() {
        if (target != null) {
            target.map().close();
        }
    }

    /** Puts each line's entry; returns how many. */
    public long readLines(InputStream in) throws IOException {
        LineReader lines = new LineReader(in, LINE_MAX_BYTES);
        while (lines.next(this::put)) {
            line++;
        }
        return entries;
    }

    private void put(byte[] bytes, int offset, int length) {
        Optional<Map<String, @Nullable Object>> fields;
        try {
            fields = JsonMessages.object(bytes, offset, length);
        } catch (RuntimeException e) {
            throw failed("is not an entry", e);
        }
        fields.ifPresent(this::put);
    }

    private void put(Map<String, @Nullable Object> fields) {
        if (fields.get("keys") instanceof String keys && fields.get("values") instanceof String values) {
            begin(Optional.of(new MapTypes(keys, values)));
            return;
        }
        target(); // a map that cannot be opened is not an error of the line
        Runnable change;
        try {
            change = change(fields);
        } catch (RuntimeException e) {
            throw failed("is not an entry", e);
        }
        try {
            change.run();
        } catch (RuntimeException e) {
            throw failed("could not be put", e); // the map's reason, such as a full disk or a wrong expiry
        }
    }

    private LarderException failed(String what, RuntimeException reason) {
        return failed("line", line + 1, what, reason);
    }

    private LarderException failed(String part, long number, String what, RuntimeException reason) {
        return new LarderException(
                source + ": " + part + " " + number + " " + what + ": " + JsonMessages.reason(reason) + "; "
                        + Counted.of(entries - expired, "entry") + " put before it",
                reason);
    }

    /** Returns the change that a line requests, after all checks of the line. */
    private Runnable change(Map<String, @Nullable Object> fields) {
        if (fields.get("key") instanceof Map<?, ?> key && fields.get("value") instanceof Map<?, ?> value) {
            Target into = target();
            into.keys().requireForm(key, into.keysTrusted());
            into.values().requireForm(value, into.valuesTrusted());
            byte[] at = into.keys().requireStorable(into.text().parse(key, schemas, into.mapping()));
            byte[] bytes = into.values().requireStorable(into.text().parse(value, schemas, into.mapping()));
            Optional<Instant> expiry = expiry(fields.get("expires"));
            return () -> put(at, bytes, expiry);
        }
        if (fields.get("schema") instanceof Number number && fields.get("text") instanceof String definition) {
            Schema schema = new Schema(definition);
            int known = JsonMessages.schemaNumber(number);
            return () -> add(known, schema);
        }
        throw new IllegalArgumentException("it has neither key and value, nor schema and text");
    }

    private static Optional<Instant> expiry(@Nullable Object expires) {
        return Optional.ofNullable(expires).map(text -> Instant.parse(String.valueOf(text)));
    }

    /** Puts an entry. An entry that has expired since the export is counted instead. */
    private void put(byte[] key, byte[] value, Optional<Instant> expiry) {
        EntryText.requireKey(key);
        if (expiry.isEmpty()) {
            map().set(key, value);
        } else if (expiry.get().isAfter(Instant.now())) {
            map().set(key, value, expiry.get());
        } else {
            expired++;
        }
        entries++;
    }

    /** Returns how many of the read entries had expired. */
    long expired() {
        return expired;
    }

    private void add(int number, Schema schema) {
        schemas.put(number, schema);
        target().mapping().add(number, schema);
    }

    /** Puts the entries of a stream; returns how many. */
    long readBytes(InputStream in) throws IOException {
        long bytes = EntryStream.requireBegin(in, source);
        for (long frames = 0; ; frames++) {
            EntryStream.Frame frame = EntryStream.read(in, source, frames);
            bytes += frame.bytes();
            switch (frame.kind()) {
                case EntryStream.TYPES -> begin(Optional.of(types(frame)));
                case EntryStream.END -> {
                    requireCount(littleEndian(frame.value()).getLong());
                    EntryStream.requireEnd(in, source, bytes);
                    return entries;
                }
                case EntryStream.SCHEMA, EntryStream.ENTRY, EntryStream.EXPIRING -> put(frame, frames);
                default ->
                    throw new CorruptException(source + ": frame " + frames + " has the unknown kind " + frame.kind());
            }
        }
    }

    private void put(EntryStream.Frame frame, long number) {
        target(); // a map that cannot be opened is not an error of the frame
        try {
            switch (frame.kind()) {
                case EntryStream.SCHEMA ->
                    add(
                            littleEndian(frame.key()).getInt(),
                            new Schema(new String(frame.value(), StandardCharsets.UTF_8)));
                case EntryStream.ENTRY -> putTranslated(frame.key(), frame.value(), Optional.empty());
                default -> putTranslated(frame.key(), frame.expiringValue(), Optional.of(frame.expiry()));
            }
        } catch (RuntimeException e) {
            throw failed("frame", number, "could not be put", e);
        }
    }

    private static MapTypes types(EntryStream.Frame frame) {
        return new MapTypes(
                new String(frame.key(), StandardCharsets.UTF_8), new String(frame.value(), StandardCharsets.UTF_8));
    }

    private void putTranslated(byte[] key, byte[] value, Optional<Instant> expiry) {
        Target into = target();
        byte[] at = into.keys().requireStorable(into.mapping().translate(key));
        put(at, into.values().requireStorable(into.mapping().translate(value)), expiry);
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void requireCount(long said) {
        if (said != entries) {
            throw new CorruptException(
                    source + ": the export has " + entries + " entries, but its end mark says " + said);
        }
    }
}

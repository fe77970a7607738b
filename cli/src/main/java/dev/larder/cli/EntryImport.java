package dev.larder.cli;

import dev.larder.codec.Schema;
import dev.larder.codec.SchemaMapping;
import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Puts the entries of an export, JSON lines or bytes, into a map; typed ones get the numbers that schemas have there. */
final class EntryImport {

    private static final long LINE_MAX_BYTES = Integer.MAX_VALUE - 16;

    private final LarderMap<byte[], byte[]> map;
    private final String source;
    private final EntryText text;
    private final SchemaMapping mapping;
    private final Map<Integer, Schema> schemas = new HashMap<>();
    private long line;
    private long entries;
    private long expired;

    EntryImport(LarderMap<byte[], byte[]> map, Path directory, LogOptions options, String source) {
        this.map = map;
        this.source = source;
        this.text = new EntryText(directory, options);
        this.mapping = new SchemaMapping(MapArguments.codecFolder(directory, options));
    }

    /** Puts each line's entry; returns how many. */
    long readLines(InputStream in) throws IOException {
        LineReader lines = new LineReader(in, LINE_MAX_BYTES);
        while (lines.next(this::put)) {
            line++;
        }
        return entries;
    }

    private void put(byte[] bytes, int offset, int length) {
        Optional<Runnable> change;
        try {
            change = JsonMessages.object(bytes, offset, length).map(this::change);
        } catch (RuntimeException e) {
            throw failed("is no entry", e);
        }
        try {
            change.ifPresent(Runnable::run);
        } catch (LarderException e) {
            throw failed("could not be put", e); // the map's reason, such as a full disk
        }
    }

    private LarderException failed(String what, RuntimeException reason) {
        return new LarderException(
                source + ": line " + (line + 1) + " " + what + ": " + reason.getMessage() + "; " + (entries - expired)
                        + " were put before it",
                reason);
    }

    /** Returns what a line asks for, once nothing can be wrong with the line any more. */
    private Runnable change(Map<String, @Nullable Object> fields) {
        if (fields.get("key") instanceof Map<?, ?> key && fields.get("value") instanceof Map<?, ?> value) {
            byte[] at = text.parse(key, schemas, mapping);
            byte[] bytes = text.parse(value, schemas, mapping);
            Optional<Instant> expiry = expiry(fields.get("expires"));
            return () -> put(at, bytes, expiry);
        }
        if (fields.get("schema") instanceof Number number && fields.get("text") instanceof String definition) {
            Schema schema = new Schema(definition);
            return () -> add(number.intValue(), schema);
        }
        throw new IllegalArgumentException("it has neither key and value, nor schema and text");
    }

    private static Optional<Instant> expiry(@Nullable Object expires) {
        return Optional.ofNullable(expires).map(text -> Instant.parse(String.valueOf(text)));
    }

    /** An entry that has expired since it was exported is counted, and not put. */
    private void put(byte[] key, byte[] value, Optional<Instant> expiry) {
        EntryText.requireKey(key);
        if (expiry.isEmpty()) {
            map.set(key, value);
        } else if (expiry.get().isAfter(Instant.now())) {
            map.set(key, value, expiry.get());
        } else {
            expired++;
        }
        entries++;
    }

    /** Returns how many of the entries that were read had expired. */
    long expired() {
        return expired;
    }

    private void add(int number, Schema schema) {
        schemas.put(number, schema);
        mapping.add(number, schema);
    }

    /** Puts the entries of a stream; returns how many. */
    long readBytes(InputStream in) throws IOException {
        EntryStream.requireBegin(in, source);
        for (long frames = 0; ; frames++) {
            EntryStream.Frame frame = EntryStream.read(in, source, frames);
            switch (frame.kind()) {
                case EntryStream.SCHEMA ->
                    add(
                            littleEndian(frame.key()).getInt(),
                            new Schema(new String(frame.value(), StandardCharsets.UTF_8)));
                case EntryStream.ENTRY ->
                    put(mapping.translate(frame.key()), mapping.translate(frame.value()), Optional.empty());
                case EntryStream.EXPIRING ->
                    put(
                            mapping.translate(frame.key()),
                            mapping.translate(frame.expiringValue()),
                            Optional.of(frame.expiry()));
                case EntryStream.END -> {
                    requireCount(littleEndian(frame.value()).getLong());
                    return entries;
                }
                default -> throw new CorruptException(source + ": frame " + frames + " is of kind " + frame.kind());
            }
        }
    }

    private static ByteBuffer littleEndian(byte[] bytes) {
        return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    private void requireCount(long said) {
        if (said != entries) {
            throw new CorruptException(source + ": " + entries + " entries, its end says " + said);
        }
    }
}

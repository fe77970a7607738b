package dev.larder.cli;

import dev.larder.log.LogOptions;
import dev.larder.map.LarderMap;
import dev.larder.memory.CorruptException;
import dev.larder.memory.LarderException;
import dev.larder.queue.Schema;
import dev.larder.queue.SchemaMapping;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
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
        this.mapping = new SchemaMapping(directory, options);
    }

    /** Puts each line's entry; returns how many. */
    long readLines(InputStream in) throws IOException {
        LineReader lines = new LineReader(in, LINE_MAX_BYTES);
        while (lines.next((bytes, offset, length) -> put(new String(bytes, offset, length, StandardCharsets.UTF_8)))) {
            line++;
        }
        return entries;
    }

    private void put(String json) {
        if (json.isBlank()) {
            return;
        }
        try {
            put(JsonMessages.LINES.mapFrom(json));
        } catch (RuntimeException e) {
            throw new LarderException(
                    source + ": line " + (line + 1) + " is no entry: " + e.getMessage() + "; " + (entries - expired)
                            + " were put before it",
                    e);
        }
    }

    private void put(Map<String, Object> fields) {
        if (fields.get("key") instanceof Map<?, ?> key && fields.get("value") instanceof Map<?, ?> value) {
            put(text.parse(key, schemas, mapping), text.parse(value, schemas, mapping), expiry(fields.get("expires")));
        } else if (fields.get("schema") instanceof Number number && fields.get("text") instanceof String definition) {
            add(number.intValue(), new Schema(definition));
        } else {
            throw new IllegalArgumentException("it has neither key and value, nor schema and text");
        }
    }

    private static Optional<Instant> expiry(@Nullable Object expires) {
        return Optional.ofNullable(expires).map(text -> Instant.parse(String.valueOf(text)));
    }

    /** An entry that has expired since it was exported is counted, and not put. */
    private void put(byte[] key, byte[] value, Optional<Instant> expiry) {
        long leftMillis = expiry.map(when -> when.toEpochMilli() - System.currentTimeMillis())
                .orElse(Long.MAX_VALUE);
        if (expiry.isEmpty()) {
            map.set(key, value);
        } else if (leftMillis > 0) {
            map.set(key, value, Duration.ofMillis(leftMillis));
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

package dev.larder.server.operate;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.KeyType;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import dev.larder.server.stream.EntryFrame;
import dev.larder.server.stream.Stream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Digests that are the same for the same keys and strings, in any order: tests compare data with them. */
final class Digests {

    private static final int SHOWN_BYTES = 20;
    private static final int PAGE = 1000;

    private Digests() {}

    static String ofAll(List<Store> stores) {
        byte[] all = new byte[SHOWN_BYTES];
        ValueBuffer buffer = new ValueBuffer();
        for (Store store : stores) {
            long cursor = 0;
            do {
                cursor = store.keys().scan(cursor, PAGE, key -> add(all, of(store, key, buffer)));
            } while (cursor != 0);
        }
        return HexFormat.of().formatHex(all);
    }

    private static void add(byte[] sum, byte[] other) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= other[i];
        }
    }

    /** Returns the digest of a key's value, whatever the key's name; zeros if there is no key. */
    static String ofKey(Store store, Bytes key, ValueBuffer buffer) {
        byte[] digest = store.exists(key) ? digestOfValue(store, key, buffer).digest() : new byte[SHOWN_BYTES];
        return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
    }

    private static byte[] of(Store store, Bytes key, ValueBuffer buffer) {
        MessageDigest digest = digestOfValue(store, key, buffer);
        digest.update(numbers(store.index(), key.length()));
        digest.update(key.array(), key.offset(), key.length());
        return digest.digest();
    }

    private static MessageDigest digestOfValue(Store store, Bytes key, ValueBuffer buffer) {
        MessageDigest digest = sha256();
        boolean isStream = store.type(key) == KeyType.STREAM;
        digest.update(numbers(store.deadline(key), isStream ? 1 : 0));
        if (isStream) {
            try (@Nullable Stream stream = store.stream(key)) {
                if (stream != null) {
                    add(stream, digest);
                }
            }
        } else if (store.read(key, buffer) != Store.ABSENT) {
            digest.update(buffer.array(), 0, buffer.length());
        }
        return digest;
    }

    private static void add(Stream stream, MessageDigest digest) {
        digest.update(numbers(stream.last().millis(), stream.last().number(), stream.added()));
        stream.forEach(stream.first(), stream.end(), Long.MAX_VALUE, (id, segment, offset) -> {
            long at = EntryFrame.first(offset);
            for (int i = EntryFrame.count(segment, offset); i > 0; i--) {
                at = EntryFrame.next(segment, at);
            }
            digest.update(segment.asSlice(offset, at - offset).asByteBuffer());
        });
    }

    private static ByteBuffer numbers(long... numbers) {
        ByteBuffer bytes = ByteBuffer.allocate(numbers.length * Long.BYTES);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.flip();
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

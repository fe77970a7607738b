package dev.larder.server.operate;

import dev.larder.server.store.Bytes;
import dev.larder.server.store.Store;
import dev.larder.server.store.ValueBuffer;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Short texts that are the same for the same keys and strings, in any order: tests compare data with them. */
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
                cursor = store.scan(cursor, PAGE, key -> add(all, of(store, key, buffer)));
            } while (cursor != 0);
        }
        return HexFormat.of().formatHex(all);
    }

    private static void add(byte[] sum, byte[] other) {
        for (int i = 0; i < sum.length; i++) {
            sum[i] ^= other[i];
        }
    }

    static String ofKey(Store store, Bytes key, ValueBuffer buffer) {
        byte[] digest = store.exists(key) ? of(store, key, buffer) : new byte[SHOWN_BYTES];
        return HexFormat.of().formatHex(digest, 0, SHOWN_BYTES);
    }

    private static byte[] of(Store store, Bytes key, ValueBuffer buffer) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(store.index())
                    .putLong(store.state(key, buffer))
                    .array());
            digest.update(key.array(), key.offset(), key.length());
            return digest.digest();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}

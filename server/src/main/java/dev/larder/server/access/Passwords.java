package dev.larder.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.HexFormat;

/** Passwords, of which only the SHA-256 is kept, in hexadecimal digits. */
public final class Passwords {

    private static final int DIGITS = 64;
    private static final int BITS_OF_A_DIGIT = 4;
    private static final int BITS_MAX = 4096;
    private static final SecureRandom RANDOM = new SecureRandom();

    private Passwords() {}

    static String digest(byte[] password) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(password));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static boolean isDigest(String text) {
        return text.length() == DIGITS && text.chars().allMatch(c -> (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'));
    }

    /** Returns whether a password is one of some. The time that this takes does not reveal how much of the password is right. */
    static boolean isOneOf(byte[] password, Collection<String> digests) {
        byte[] digest = digest(password).getBytes(StandardCharsets.US_ASCII);
        boolean found = false;
        for (String one : digests) {
            found |= MessageDigest.isEqual(digest, one.getBytes(StandardCharsets.US_ASCII));
        }
        return found;
    }

    /** Returns a new password: hexadecimal digits of a number of random bits, 1 to 4096. */
    public static String generate(long bits) {
        if (bits < 1 || bits > BITS_MAX) {
            throw new IllegalArgumentException(bits + " bits, not 1 to " + BITS_MAX);
        }
        int digits = (int) ((bits + BITS_OF_A_DIGIT - 1) / BITS_OF_A_DIGIT);
        byte[] random = new byte[digits / 2 + 1];
        RANDOM.nextBytes(random);
        return HexFormat.of().formatHex(random).substring(0, digits);
    }
}

package dev.larder.queue.connection;

import dev.larder.memory.StorageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from files in PEM. The message of each error begins with the file. */
public final class PemFiles {

    private static final Pattern CERTIFICATE = block("(?:X509 )?CERTIFICATE");
    private static final Pattern KEY = block("PRIVATE KEY");
    private static final Pattern ENCRYPTED_KEY =
            Pattern.compile("-----BEGIN ENCRYPTED PRIVATE KEY-----|Proc-Type: 4,ENCRYPTED");
    private static final Pattern OTHER_KEY = Pattern.compile("-----BEGIN (\\w+) PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA", "RSASSA-PSS");

    /** How to make the form of a key that the JDK reads. */
    private static final String CONVERTED = " (openssl pkcs8 -topk8 -nocrypt makes one)";

    /** The algorithm for signatures, by the algorithm of the key. */
    private static final Map<String, String> SIGNATURES =
            Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

    private PemFiles() {}

    private static Pattern block(String kind) {
        return Pattern.compile("-----BEGIN " + kind + "-----([^-]*)-----END " + kind + "-----");
    }

    /**
     * Reads the certificates of a file, at least one. The file may hold other things too, such as a private key.
     *
     * @throws StorageException if the file cannot be read
     * @throws IllegalArgumentException if the file holds no certificate, or a damaged one
     */
    public static List<X509Certificate> certificates(Path file) {
        Matcher matcher = CERTIFICATE.matcher(text(file));
        List<X509Certificate> found = new ArrayList<>();
        while (matcher.find()) {
            found.add(certificate(file, found.size() + 1, matcher.group(1)));
        }
        if (found.isEmpty()) {
            throw new IllegalArgumentException(file + ": holds no certificate in PEM");
        }
        return List.copyOf(found);
    }

    private static X509Certificate certificate(Path file, int number, String text) {
        String what = "certificate " + number;
        try {
            return (X509Certificate) CertificateFactory.getInstance("X.509")
                    .generateCertificate(new ByteArrayInputStream(decoded(file, what, text)));
        } catch (CertificateException e) {
            throw damaged(file, what, e);
        }
    }

    /**
     * Reads the private key of a file, which is in PKCS 8 without a password.
     *
     * @throws StorageException if the file cannot be read
     * @throws IllegalArgumentException if the file holds no such key
     */
    public static PrivateKey key(Path file) {
        String text = text(file);
        Matcher matcher = KEY.matcher(text);
        if (!matcher.find()) {
            throw new IllegalArgumentException(file + ": " + lackOfKey(text));
        }
        String what = "the private key";
        byte[] bytes = decoded(file, what, matcher.group(1));
        InvalidKeySpecException refusal = new InvalidKeySpecException("it is not of " + ALGORITHMS);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (InvalidKeySpecException e) { // perhaps the key is of another algorithm
                refusal.addSuppressed(e);
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK has no keys of " + algorithm, e);
            }
        }
        throw damaged(file, what, refusal);
    }

    /** Returns why a text has no key in PKCS 8 without a password. */
    private static String lackOfKey(String text) {
        if (ENCRYPTED_KEY.matcher(text).find()) {
            return "its private key has a password, and must have none" + CONVERTED;
        }
        Matcher other = OTHER_KEY.matcher(text);
        return other.find()
                ? "its private key is in the form " + other.group(1) + ", and must be in PKCS 8" + CONVERTED
                : "holds no private key in PEM";
    }

    /** Returns whether a key belongs to a certificate. True if this JDK cannot check it, because the other side can. */
    public static boolean isPair(Certificate certificate, PrivateKey key) {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm == null) {
            return true;
        }
        try {
            byte[] text = {1};
            Signature signature = Signature.getInstance(algorithm);
            signature.initSign(key);
            signature.update(text);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(text);
            return signature.verify(signed);
        } catch (GeneralSecurityException e) {
            return certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm());
        }
    }

    private static byte[] decoded(Path file, String what, String text) {
        try {
            return Base64.getMimeDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw damaged(file, what, e);
        }
    }

    private static IllegalArgumentException damaged(Path file, String what, Exception cause) {
        return new IllegalArgumentException(file + ": " + what + " is damaged: " + cause.getMessage(), cause);
    }

    private static String text(Path file) {
        String text = new String(read(file), StandardCharsets.ISO_8859_1);
        if (text.isBlank()) {
            throw new IllegalArgumentException(file + ": is empty");
        }
        return text;
    }

    /** Returns the bytes of a file. */
    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new StorageException(file + ": cannot be read: there is no such file", e);
        } catch (IOException e) {
            throw new StorageException(file + ": cannot be read: " + e, e);
        }
    }
}

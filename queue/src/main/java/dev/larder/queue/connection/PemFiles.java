package dev.larder.queue.connection;

import dev.larder.memory.StorageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads certificates and private keys from files in PEM. */
final class PemFiles {

    private static final Pattern KEY = Pattern.compile("-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA", "EdDSA", "RSASSA-PSS");

    /** The algorithm for signatures, by the algorithm of the key. */
    private static final Map<String, String> SIGNATURES =
            Map.of("EC", "SHA256withECDSA", "RSA", "SHA256withRSA", "EdDSA", "EdDSA");

    private PemFiles() {}

    /**
     * Reads the certificates of a file, at least one.
     *
     * @throws IllegalArgumentException if the file holds no certificate
     */
    static List<Certificate> certificates(Path file) {
        byte[] text = read(file);
        try {
            List<Certificate> found = List.copyOf(
                    CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(text)));
            if (found.isEmpty()) {
                throw new IllegalArgumentException(file + ": holds no certificate in PEM");
            }
            return found;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(file + ": does not hold certificates in PEM: " + e.getMessage(), e);
        }
    }

    /**
     * Reads the private key of a file, which is in PKCS 8 without a password.
     *
     * @throws IllegalArgumentException if the file holds no such key
     */
    static PrivateKey key(Path file) {
        Matcher matcher = KEY.matcher(new String(read(file), StandardCharsets.ISO_8859_1));
        if (!matcher.find()) {
            throw new IllegalArgumentException(file + ": holds no private key in PKCS 8 without a password");
        }
        byte[] bytes = decoded(file, matcher.group(1));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
            } catch (InvalidKeySpecException e) {
                // the key is of another algorithm
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException("this JDK has no keys of " + algorithm, e);
            }
        }
        throw new IllegalArgumentException(file + ": the private key is not of " + ALGORITHMS);
    }

    /** Returns whether a key belongs to a certificate. True if this JDK cannot check it, because the other side can. */
    static boolean isPair(Certificate certificate, PrivateKey key) {
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

    private static byte[] decoded(Path file, String text) {
        try {
            return Base64.getMimeDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(file + ": the private key is damaged: " + e.getMessage(), e);
        }
    }

    /** Returns the bytes of a file. */
    static byte[] read(Path file) {
        try {
            return Files.readAllBytes(file);
        } catch (IOException e) {
            throw new StorageException(file + ": cannot be read: " + e, e);
        }
    }
}

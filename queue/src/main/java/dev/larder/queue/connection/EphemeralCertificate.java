package dev.larder.queue.connection;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.util.HexFormat;
import java.util.List;

/**
 * A certificate that signs itself, made in memory. It does not identify its owner. TLS 1.3 has no handshake without a
 * certificate; {@link SecretProof} authenticates the owner.
 *
 * <p>The JDK can read a certificate but cannot make one. So this class writes the fields of RFC 5280 in DER.
 *
 * @param certificate the certificate
 * @param key its private key
 */
record EphemeralCertificate(X509Certificate certificate, PrivateKey key) {

    private static final int INTEGER = 0x02;
    private static final int BIT_STRING = 0x03;
    private static final int UTF8_STRING = 0x0c;
    private static final int UTC_TIME = 0x17;
    private static final int GENERALIZED_TIME = 0x18;
    private static final int SEQUENCE = 0x30;
    private static final int SET = 0x31;
    private static final int VERSION = 0xa0;
    private static final int SHORT_LENGTH_MAX = 127;
    private static final int BYTE_MAX = 255;

    /** The object identifiers 1.2.840.10045.4.3.2 (ECDSA with SHA-256) and 2.5.4.3 (common name), in DER. */
    private static final byte[] ECDSA_WITH_SHA256 = HexFormat.of().parseHex("06082a8648ce3d040302");

    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");

    /** Makes a certificate and its key. */
    static EphemeralCertificate make() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] content = content(keys.getPublic().getEncoded());
            Signature signature = Signature.getInstance("SHA256withECDSA");
            signature.initSign(keys.getPrivate());
            signature.update(content);
            byte[] whole = of(SEQUENCE, content, algorithm(), of(BIT_STRING, new byte[1], signature.sign()));
            X509Certificate certificate = (X509Certificate)
                    CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(whole));
            return new EphemeralCertificate(certificate, keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make a certificate", e);
        }
    }

    private static byte[] content(byte[] publicKey) {
        byte[] version = of(VERSION, of(INTEGER, new byte[] {2}));
        byte[] serial = of(
                INTEGER,
                new BigInteger(64, new SecureRandom()).add(BigInteger.ONE).toByteArray());
        byte[] validity = of(SEQUENCE, time(UTC_TIME, "000101000000Z"), time(GENERALIZED_TIME, "99991231235959Z"));
        return of(SEQUENCE, version, serial, algorithm(), name(), validity, name(), publicKey);
    }

    private static byte[] algorithm() {
        return of(SEQUENCE, ECDSA_WITH_SHA256);
    }

    private static byte[] name() {
        byte[] text = of(UTF8_STRING, "larder".getBytes(StandardCharsets.US_ASCII));
        return of(SEQUENCE, of(SET, of(SEQUENCE, COMMON_NAME, text)));
    }

    /** From 2050 on, times have four digits for the year. */
    private static byte[] time(int tag, String time) {
        return of(tag, time.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns a value in DER: its tag, its length, its parts. */
    private static byte[] of(int tag, byte[]... parts) {
        int length = List.of(parts).stream().mapToInt(part -> part.length).sum();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(tag);
        if (length <= SHORT_LENGTH_MAX) {
            out.write(length);
        } else if (length <= BYTE_MAX) {
            out.write(0x81);
            out.write(length);
        } else {
            out.write(0x82);
            out.write(length >>> 8);
            out.write(length);
        }
        List.of(parts).forEach(out::writeBytes);
        return out.toByteArray();
    }
}

package dev.larder.tests.support;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that signs itself, for 127.0.0.1, made by the keytool of the JDK.
 *
 * @param name its subject, and its alias in the store
 * @param certificate a file in PEM
 * @param key a file in PEM: PKCS 8 without a password
 * @param store both, with the password {@link #PASSWORD}
 */
public record SelfSignedCertificate(String name, Path certificate, Path key, KeyStore store) {

    /** The password of the store. */
    public static final String PASSWORD = "password";

    /** Makes a certificate, with its files in a folder. */
    public static SelfSignedCertificate make(Path folder, String name) {
        Path file = folder.resolve(name + ".p12");
        try {
            runKeytool(file, name);
            KeyStore store = KeyStore.getInstance("PKCS12");
            try (InputStream in = Files.newInputStream(file)) {
                store.load(in, PASSWORD.toCharArray());
            }
            return new SelfSignedCertificate(
                    name,
                    pem(
                            folder.resolve(name + ".crt"),
                            "CERTIFICATE",
                            store.getCertificate(name).getEncoded()),
                    pem(
                            folder.resolve(name + ".key"),
                            "PRIVATE KEY",
                            store.getKey(name, PASSWORD.toCharArray()).getEncoded()),
                    store);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException("no certificate " + file, e);
        }
    }

    /** Returns the TLS of a client that trusts this certificate, and presents its own, if it has one. */
    public SSLContext client(Optional<SelfSignedCertificate> own) throws GeneralSecurityException, IOException {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        trusted.setCertificateEntry(name, store.getCertificate(name));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        if (own.isEmpty()) {
            context.init(null, trust.getTrustManagers(), null);
            return context;
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own.get().store(), PASSWORD.toCharArray());
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static void runKeytool(Path file, String name) throws IOException {
        Path log = file.resolveSibling(name + ".log");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "san=ip:127.0.0.1,dns:localhost",
                        "-storetype",
                        "PKCS12",
                        "-keystore",
                        file.toString(),
                        "-storepass",
                        PASSWORD,
                        "-validity",
                        "3650")
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        try {
            if (!keytool.waitFor(2, TimeUnit.MINUTES) || keytool.exitValue() != 0) {
                throw new IllegalStateException("keytool failed: " + Files.readString(log));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    private static Path pem(Path file, String kind, byte[] bytes) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return Files.writeString(file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }
}

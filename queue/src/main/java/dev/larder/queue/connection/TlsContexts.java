package dev.larder.queue.connection;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;

/** Contexts of TLS 1.3, one for each way to authenticate the other side. */
public final class TlsContexts {

    private static final char[] PASSWORD = new char[0];

    private TlsContexts() {}

    /**
     * Returns a context that shows the certificate of a file and trusts the certificates of an authority. It does not
     * compare names or addresses with the certificate.
     *
     * @throws IllegalArgumentException if a file does not hold what it should
     */
    public static SSLContext mutual(Path certificates, Path key, Path authorities) {
        List<X509Certificate> chain = PemFiles.certificates(certificates);
        PrivateKey secret = PemFiles.key(key);
        List<X509Certificate> trusted = PemFiles.certificates(authorities);
        if (!PemFiles.isPair(chain.getFirst(), secret)) {
            throw new IllegalArgumentException(
                    key + ": the private key does not match the certificate in " + certificates);
        }
        try {
            return context(keys(chain, secret), trust(trusted));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "certificate " + certificates + ", key " + key + ", authorities " + authorities + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /**
     * Returns the context of a client that shows no certificate, and trusts the certificates of an authority. It does not
     * compare names or addresses with the certificate.
     *
     * @throws IllegalArgumentException if the file does not hold certificates
     */
    public static SSLContext trusting(Path authorities) {
        List<X509Certificate> trusted = PemFiles.certificates(authorities);
        try {
            return context(new KeyManager[0], trust(trusted));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException("authorities " + authorities + ": " + e.getMessage(), e);
        }
    }

    private static TrustManager[] trust(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        for (Certificate authority : authorities) {
            store.setCertificateEntry("authority " + store.size(), authority);
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        return trust.getTrustManagers();
    }

    /** Returns a context that shows a self-made certificate, and trusts every other side, so a proof must follow. */
    static SSLContext untrusting() {
        EphemeralCertificate own = EphemeralCertificate.make();
        try {
            return context(keys(List.of(own.certificate()), own.key()), new TrustManager[] {new Everyone()});
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException("this JDK has no TLS", e);
        }
    }

    private static SSLContext context(KeyManager[] keys, TrustManager[] trust) throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLSv1.3");
        context.init(keys, trust, null);
        return context;
    }

    private static KeyManager[] keys(List<? extends Certificate> chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        KeyStore store = emptyStore();
        store.setKeyEntry("own", key, PASSWORD, chain.toArray(Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance("PKIX");
        factory.init(store, PASSWORD);
        return factory.getKeyManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }

    /** Trusts every certificate. */
    private static final class Everyone extends X509ExtendedTrustManager {

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

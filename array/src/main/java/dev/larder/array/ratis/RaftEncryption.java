package dev.larder.array.ratis;

import dev.larder.array.NodeEncryption;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.apache.ratis.conf.Parameters;
import org.apache.ratis.grpc.GrpcConfigKeys;
import org.apache.ratis.grpc.GrpcTlsConfig;
import org.apache.ratis.security.TlsConf.CertificatesConf;
import org.apache.ratis.security.TlsConf.PrivateKeyConf;

/** Mutual TLS 1.3 of Raft. */
final class RaftEncryption {

    private RaftEncryption() {}

    /**
     * Returns the parameters of Ratis.
     *
     * @throws IOException if a file cannot be read, or has the wrong content
     */
    static Parameters parameters(NodeEncryption files) throws IOException {
        GrpcTlsConfig.Builder tls = GrpcTlsConfig.newBuilder();
        tls.setPrivateKey(new PrivateKeyConf(files.key().toFile()));
        tls.setKeyCertificates(new CertificatesConf(files.certificates().toFile()));
        tls.setTrustManager(new Authorities(files.authorities()));
        tls.setMutualTls(true);
        tls.setProtocols("TLSv1.3");
        Parameters parameters = new Parameters();
        GrpcConfigKeys.TLS.setConf(parameters, tls.build());
        return parameters;
    }

    /** Trusts each node with a certificate of an authority: the authority identifies it, not its address. */
    private static final class Authorities extends X509ExtendedTrustManager {

        private final X509ExtendedTrustManager paths;

        Authorities(Path file) throws IOException {
            try (InputStream in = Files.newInputStream(file)) {
                KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
                store.load(null, null);
                for (Certificate authority :
                        CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                    store.setCertificateEntry(Integer.toString(store.size()), authority);
                }
                if (store.size() == 0) {
                    throw new IOException(file + " has no certificate");
                }
                TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
                factory.init(store);
                paths = Arrays.stream(factory.getTrustManagers())
                        .filter(X509ExtendedTrustManager.class::isInstance)
                        .map(X509ExtendedTrustManager.class::cast)
                        .findFirst()
                        .orElseThrow();
            } catch (GeneralSecurityException e) {
                throw new IOException(file + " does not hold certificates in PEM: " + e.getMessage(), e);
            }
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            paths.checkClientTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind) throws CertificateException {
            paths.checkServerTrusted(chain, kind);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            checkClientTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            checkClientTrusted(chain, kind);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String kind, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, kind);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return paths.getAcceptedIssuers();
        }
    }
}

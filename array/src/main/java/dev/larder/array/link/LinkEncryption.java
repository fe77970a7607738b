package dev.larder.array.link;

import dev.larder.server.transport.TlsIdentity;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;

/**
 * TLS 1.3 between nodes: both sides show a certificate of one of the authorities, which must be the array's own. It does not
 * check for which node a certificate was made. Thread-safe.
 */
public final class LinkEncryption {

    private final SslContext accepting;
    private final SslContext connecting;

    private LinkEncryption(SslContext accepting, SslContext connecting) {
        this.accepting = accepting;
        this.connecting = connecting;
    }

    /**
     * Creates the encryption of a node.
     *
     * @param identity with the authorities whose nodes are trusted
     * @throws IllegalArgumentException if the JDK refuses the key or a certificate
     */
    public static LinkEncryption of(TlsIdentity identity) {
        try {
            return new LinkEncryption(accepting(identity), connecting(identity));
        } catch (SSLException e) {
            throw new IllegalArgumentException(
                    "TLS between nodes cannot use the certificate, key or authorities: " + e.getCause(), e);
        }
    }

    private static SslContext accepting(TlsIdentity identity) throws SSLException {
        return SslContextBuilder.forServer(identity.key(), identity.certificates())
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3")
                .trustManager(identity.authorities())
                .clientAuth(ClientAuth.REQUIRE)
                .build();
    }

    private static SslContext connecting(TlsIdentity identity) throws SSLException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .protocols("TLSv1.3")
                .keyManager(identity.key(), identity.certificates())
                .trustManager(identity.authorities())
                .endpointIdentificationAlgorithm("") // a node is known by its authority, not by its address
                .build();
    }

    SslContext context(boolean connects) {
        return connects ? connecting : accepting;
    }
}

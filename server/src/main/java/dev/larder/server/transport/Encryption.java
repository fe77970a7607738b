package dev.larder.server.transport;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import javax.net.ssl.SSLException;

/** TLS 1.3 of the JDK. Thread-safe. */
public final class Encryption {

    private final SslContext context;

    private Encryption(SslContext context) {
        this.context = context;
    }

    /**
     * Creates the encryption of a server. It needs authorities if clients may show a certificate.
     *
     * @param clients whether clients show a certificate: {@code no}, {@code optional} or {@code yes}
     * @throws IllegalArgumentException if the JDK refuses the key or a certificate
     */
    public static Encryption of(TlsIdentity identity, String clients) {
        try {
            SslContextBuilder builder = SslContextBuilder.forServer(identity.key(), identity.certificates())
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .clientAuth(authentication(clients));
            if (!identity.authorities().isEmpty()) {
                builder.trustManager(identity.authorities());
            }
            return new Encryption(builder.build());
        } catch (SSLException e) {
            throw new IllegalArgumentException(
                    "TLS cannot use the certificate, key or authorities: " + e.getCause(), e);
        }
    }

    private static ClientAuth authentication(String clients) {
        return switch (clients) {
            case "no" -> ClientAuth.NONE;
            case "optional" -> ClientAuth.OPTIONAL;
            default -> ClientAuth.REQUIRE;
        };
    }

    SslHandler handler(ByteBufAllocator allocator) {
        return context.newHandler(allocator);
    }
}

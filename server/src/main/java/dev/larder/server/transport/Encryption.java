package dev.larder.server.transport;

import dev.larder.memory.StorageException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import javax.net.ssl.SSLException;

/** TLS 1.3 of the JDK, with the certificates of some files. Thread-safe. */
public final class Encryption {

    private final SslContext context;

    private Encryption(SslContext context) {
        this.context = context;
    }

    /**
     * Reads the files, all in PEM.
     *
     * @param certificates the server's certificate, and those that lead to an authority
     * @param key its private key, in PKCS 8 without a password
     * @param authorities the certificates of authorities whose clients are trusted; empty: those of the JDK
     * @param clients whether clients show a certificate: {@code no}, {@code optional} or {@code yes}
     * @throws StorageException if a file cannot be read
     * @throws IllegalArgumentException if a file does not hold what it should
     */
    public static Encryption of(Path certificates, Path key, Optional<Path> authorities, String clients) {
        try (InputStream chain = Files.newInputStream(certificates);
                InputStream secret = Files.newInputStream(key)) {
            SslContextBuilder builder = SslContextBuilder.forServer(chain, secret)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .clientAuth(authentication(clients));
            if (authorities.isPresent()) {
                try (InputStream trusted = Files.newInputStream(authorities.get())) {
                    builder.trustManager(trusted);
                }
            }
            return new Encryption(builder.build());
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "tls-cert-file " + certificates + ", tls-key-file " + key + ", tls-ca-cert-file "
                            + authorities.map(Path::toString).orElse("") + ": " + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new StorageException("cannot read a TLS file: " + e, e);
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

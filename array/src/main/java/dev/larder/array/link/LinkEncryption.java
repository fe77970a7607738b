package dev.larder.array.link;

import dev.larder.memory.StorageException;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
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
     * Reads the files, all in PEM.
     *
     * @param certificates the node's certificate, and the chain to an authority
     * @param key its private key, in PKCS 8 without a password
     * @param authorities the certificates of the authorities whose nodes are trusted
     * @throws StorageException if a file cannot be read
     * @throws IllegalArgumentException if a file has the wrong content
     */
    public static LinkEncryption of(Path certificates, Path key, Path authorities) {
        try {
            return new LinkEncryption(
                    accepting(certificates, key, authorities), connecting(certificates, key, authorities));
        } catch (SSLException | IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "certificate " + certificates + ", key " + key + ", authorities " + authorities + ": "
                            + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new StorageException("cannot read a TLS file: " + e, e);
        }
    }

    private static SslContext accepting(Path certificates, Path key, Path authorities) throws IOException {
        try (InputStream chain = Files.newInputStream(certificates);
                InputStream secret = Files.newInputStream(key);
                InputStream trusted = Files.newInputStream(authorities)) {
            return SslContextBuilder.forServer(chain, secret)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .trustManager(trusted)
                    .clientAuth(ClientAuth.REQUIRE)
                    .build();
        }
    }

    private static SslContext connecting(Path certificates, Path key, Path authorities) throws IOException {
        try (InputStream chain = Files.newInputStream(certificates);
                InputStream secret = Files.newInputStream(key);
                InputStream trusted = Files.newInputStream(authorities)) {
            return SslContextBuilder.forClient()
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3")
                    .keyManager(chain, secret)
                    .trustManager(trusted)
                    .endpointIdentificationAlgorithm("") // a node is known by its authority, not by its address
                    .build();
        }
    }

    SslContext context(boolean connects) {
        return connects ? connecting : accepting;
    }
}

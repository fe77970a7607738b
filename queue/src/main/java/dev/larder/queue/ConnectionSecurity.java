package dev.larder.queue;

import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Securing;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * How a {@link QueueServer} and its clients know each other. Both sides use the same way.
 *
 * {@snippet :
 * ConnectionSecurity.secret(Path.of("queue.secret"))                            // one line that both hosts have
 * ConnectionSecurity.certificates(certificate, key, authorities)                // mutual TLS
 * ConnectionSecurity.none()                                                     // within one host
 * }
 */
public final class ConnectionSecurity {

    private final Securing securing;

    private ConnectionSecurity(Securing securing) {
        this.securing = securing;
    }

    /** Connections are neither encrypted nor authenticated. They are possible on the loopback address only. */
    public static ConnectionSecurity none() {
        return new ConnectionSecurity(Securing.none());
    }

    /**
     * TLS 1.3, in which each side shows a certificate that an authority of the other one has signed. The authorities must be
     * yours alone: names in certificates are not compared with addresses. All files are in PEM. They are read again for each
     * connection, so a renewed certificate needs no restart.
     *
     * @param certificates this side's certificate, and those that lead to an authority
     * @param key its private key, in PKCS 8 without a password
     * @param authorities the certificates of those whose holders are trusted
     * @throws dev.larder.memory.StorageException if a file cannot be read
     * @throws IllegalArgumentException if a file does not hold what it should, or the key is not that of the certificate
     */
    public static ConnectionSecurity certificates(Path certificates, Path key, Path authorities) {
        return new ConnectionSecurity(Securing.certificates(certificates, key, authorities));
    }

    /**
     * TLS 1.3, in which each side proves that it has the same secret. The secret itself is never sent, and a proof holds for
     * its own connection alone.
     *
     * @param file a text of at least 32 random bytes
     * @throws dev.larder.memory.StorageException if the file cannot be read
     * @throws IllegalArgumentException if the secret is shorter
     */
    public static ConnectionSecurity secret(Path file) {
        return new ConnectionSecurity(Securing.secret(file));
    }

    Securing securing() {
        return securing;
    }

    /**
     * Fails if messages would leave this host as they are.
     *
     * @throws LarderException if connections are not encrypted, and the address is not of this host alone
     */
    void requireAllowed(InetSocketAddress address) {
        boolean plain = securing instanceof Securing.Plain;
        if (plain && address.getAddress() != null && !address.getAddress().isLoopbackAddress()) {
            throw new LarderException(address + ": connections beyond this host need certificates or a secret");
        }
    }
}

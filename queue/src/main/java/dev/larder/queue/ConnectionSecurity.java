package dev.larder.queue;

import dev.larder.memory.LarderException;
import dev.larder.queue.connection.Securing;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * The way in which a {@link QueueServer} and its clients authenticate each other. Both sides use the same way.
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
     * TLS 1.3, in which each side shows a certificate that an authority of the other side has signed. The authorities must be
     * yours alone, because names in certificates are not compared with addresses. All files are in PEM. They are read again for
     * each connection, so a renewed certificate needs no restart.
     *
     * @param certificates this side's certificate, and the intermediate certificates up to an authority
     * @param key its private key, in PKCS 8 without a password
     * @param authorities the certificates of the authorities whose signatures are trusted
     * @throws dev.larder.memory.StorageException if a file cannot be read
     * @throws IllegalArgumentException if a file does not hold what it should, or the key does not belong to the certificate
     */
    public static ConnectionSecurity certificates(Path certificates, Path key, Path authorities) {
        return new ConnectionSecurity(Securing.certificates(certificates, key, authorities));
    }

    /**
     * TLS 1.3, in which each side proves that it has the same secret. The secret itself is never sent, and a proof is valid for
     * its own connection only.
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
     * Throws if messages would leave this host unencrypted.
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

package dev.larder.array;

import dev.larder.array.link.LinkEncryption;
import dev.larder.server.transport.TlsIdentity;
import dev.larder.server.transport.TlsIdentity.Source;
import java.nio.file.Path;
import java.util.Optional;

/**
 * TLS 1.3 between nodes, of Raft and of the links: both sides show a certificate of one of the authorities, which must be the
 * array's own. It does not check for which node a certificate was made. All files are in PEM.
 *
 * @param certificates the node's certificate, and the chain to an authority
 * @param key its private key, in PKCS 8 without a password
 * @param authorities the certificates of the authorities whose nodes are trusted
 */
public record NodeEncryption(Path certificates, Path key, Path authorities) {

    /**
     * Checks that a node can start with the files.
     *
     * @throws IllegalArgumentException if a file cannot be read, has the wrong content, or the key does not belong to the
     *     certificate
     */
    public void check() {
        var _ = read();
    }

    LinkEncryption read() {
        return LinkEncryption.of(TlsIdentity.read(
                new Source("node-cert", certificates),
                new Source("node-key", key),
                Optional.of(new Source("node-ca", authorities))));
    }
}

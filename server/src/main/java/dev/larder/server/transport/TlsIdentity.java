package dev.larder.server.transport;

import dev.larder.memory.StorageException;
import dev.larder.queue.connection.PemFiles;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The certificates and the key with which a server speaks TLS, as its files have them.
 *
 * @param certificates the server's certificate, and those that lead to an authority
 * @param key its private key
 * @param authorities the certificates of the trusted authorities; empty if no file names them
 */
public record TlsIdentity(List<X509Certificate> certificates, PrivateKey key, List<X509Certificate> authorities) {

    /**
     * A file that an option names.
     *
     * @param option the name of the option, for errors
     * @param file in PEM
     */
    public record Source(String option, Path file) {

        private <T> T read(Function<Path, T> reader) {
            try {
                return reader.apply(file);
            } catch (IllegalArgumentException | StorageException e) {
                throw new IllegalArgumentException(option + " " + e.getMessage(), e);
            }
        }
    }

    /**
     * Reads the files.
     *
     * @param key in PKCS 8 without a password
     * @throws IllegalArgumentException if a file cannot be read, has the wrong content, or the key does not belong to the
     *     certificate; the message names the option, the file and the reason
     */
    public static TlsIdentity read(Source certificates, Source key, Optional<Source> authorities) {
        List<X509Certificate> chain = certificates.read(PemFiles::certificates);
        requireChain(certificates, chain);
        PrivateKey secret = key.read(PemFiles::key);
        if (!PemFiles.isPair(chain.getFirst(), secret)) {
            throw new IllegalArgumentException(key.option + " " + key.file
                    + ": the private key is not that of the certificate in " + certificates.file);
        }
        return new TlsIdentity(
                chain,
                secret,
                authorities.map(source -> source.read(PemFiles::certificates)).orElse(List.of()));
    }

    private static void requireChain(Source source, List<X509Certificate> chain) {
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw new IllegalArgumentException(source.option + " " + source.file + ": certificate " + (i + 1)
                        + " is not that of the authority that has issued certificate " + i);
            }
        }
    }
}

package dev.larder.queue.connection;

import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLSocket;

/**
 * The proof of both sides of a TLS connection that they have the same secret.
 *
 * <pre>
 * client  ---- HMAC-SHA-256(secret, "client" binding) --->  server
 * client  <--- HMAC-SHA-256(secret, "server" binding) ----  server      zeros, if it refuses
 * </pre>
 *
 * <p>The binding is {@code tls-exporter} of RFC 9266. It belongs to one TLS connection: a third party between the two
 * sides has two connections, and cannot use the proof of one for the other.
 */
final class SecretProof {

    private static final int BYTES = 32;

    private SecretProof() {}

    /** Proves the secret to a server, and requires its proof. */
    static void offer(SSLSocket socket, byte[] secret, String name) throws IOException {
        byte[] binding = binding(socket);
        socket.getOutputStream().write(proof(secret, "client", binding));
        socket.getOutputStream().flush();
        if (!MessageDigest.isEqual(read(socket, name), proof(secret, "server", binding))) {
            throw new StrangerException(name + ": its secret differs from this side's secret");
        }
    }

    /** Requires a client's proof, and proves the secret to the client if its proof is right. */
    static void require(SSLSocket socket, byte[] secret, String name) throws IOException {
        byte[] binding = binding(socket);
        boolean known = MessageDigest.isEqual(read(socket, name), proof(secret, "client", binding));
        socket.getOutputStream().write(known ? proof(secret, "server", binding) : new byte[BYTES]);
        socket.getOutputStream().flush();
        if (!known) {
            throw new StrangerException(name + ": its secret differs from this server's secret");
        }
    }

    private static byte[] read(SSLSocket socket, String name) throws IOException {
        byte[] proof = socket.getInputStream().readNBytes(BYTES);
        if (proof.length < BYTES) {
            throw new EOFException(name + ": ended the connection before it proved the secret");
        }
        return proof;
    }

    private static byte[] binding(SSLSocket socket) throws IOException {
        return ((ExtendedSSLSession) socket.getSession())
                .exportKeyingMaterialData("EXPORTER-Channel-Binding", new byte[0], BYTES);
    }

    private static byte[] proof(byte[] secret, String side, byte[] binding) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(secret, "HmacSHA256"));
            mac.update(("larder queue " + side).getBytes(StandardCharsets.US_ASCII));
            return mac.doFinal(binding);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no HmacSHA256", e);
        }
    }
}

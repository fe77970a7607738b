package dev.larder.queue.connection;

import dev.larder.memory.StorageException;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;

/** Secures a connected socket: authenticates the other side, and protects the bytes against reading and changes by others. */
public sealed interface Securing {

    /**
     * Returns a socket that accepted a connection, after its handshake.
     *
     * @throws StrangerException if the other side is refused
     */
    Socket accepted(Socket socket) throws IOException;

    /**
     * Returns a socket that made a connection, after its handshake.
     *
     * @throws StrangerException if either side refuses the other
     */
    Socket connected(Socket socket) throws IOException;

    /** Returns a way without encryption, which leaves sockets as they are. */
    static Securing none() {
        return new Plain();
    }

    /**
     * Returns TLS 1.3 in which both sides show a certificate. The files are read again for each connection, so that a
     * certificate can be renewed.
     *
     * @throws IllegalArgumentException if a file does not hold what it should
     */
    static Securing certificates(Path certificates, Path key, Path authorities) {
        Securing securing = new ByCertificates(certificates, key, authorities);
        TlsContexts.mutual(certificates, key, authorities);
        return securing;
    }

    /**
     * Returns TLS 1.3 in which both sides prove that they have a secret.
     *
     * @throws IllegalArgumentException if the secret is too short
     */
    static Securing secret(Path file) {
        SecretFile.read(file);
        return new BySecret(file);
    }

    /** No encryption. */
    record Plain() implements Securing {

        @Override
        public Socket accepted(Socket socket) {
            return socket;
        }

        @Override
        public Socket connected(Socket socket) {
            return socket;
        }
    }

    /** Mutual TLS. */
    record ByCertificates(Path certificates, Path key, Path authorities) implements Securing {

        @Override
        public Socket accepted(Socket socket) throws IOException {
            return handshake(socket, TlsContexts.mutual(certificates, key, authorities), false, true);
        }

        @Override
        public Socket connected(Socket socket) throws IOException {
            return handshake(socket, again(() -> TlsContexts.mutual(certificates, key, authorities)), true, true);
        }
    }

    /** TLS and a secret. */
    record BySecret(Path file) implements Securing {

        @Override
        public Socket accepted(Socket socket) throws IOException {
            SSLSocket secure = handshake(socket, TlsContexts.untrusting(), false, false);
            SecretProof.require(secure, SecretFile.read(file), name(socket));
            return secure;
        }

        @Override
        public Socket connected(Socket socket) throws IOException {
            byte[] secret = again(() -> SecretFile.read(file));
            SSLSocket secure = handshake(socket, TlsContexts.untrusting(), true, false);
            try {
                SecretProof.offer(secure, secret, name(socket));
            } catch (SSLException e) {
                throw explained(e, name(socket)); // a server may refuse after this side's handshake
            }
            return secure;
        }
    }

    /**
     * Reads files that were sound before. An administrator may be replacing them right now, so a later connection may succeed.
     */
    private static <T> T again(Supplier<T> reading) throws IOException {
        try {
            return reading.get();
        } catch (IllegalArgumentException | StorageException e) {
            throw new IOException("cannot connect now: " + e.getMessage(), e);
        }
    }

    private static String name(Socket socket) {
        return String.valueOf(socket.getRemoteSocketAddress());
    }

    private static SSLSocket handshake(Socket socket, SSLContext context, boolean client, boolean both)
            throws IOException {
        SSLSocket secure = (SSLSocket) context.getSocketFactory()
                .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
        secure.setUseClientMode(client);
        if (both && !client) {
            secure.setNeedClientAuth(true);
        }
        secure.setEnabledProtocols(new String[] {"TLSv1.3"});
        try {
            secure.startHandshake();
        } catch (SSLException e) {
            throw explained(e, name(socket));
        }
        return secure;
    }

    /** Returns the exception for a failure of TLS: a broken connection, which may be retried, or a refused side. */
    static IOException explained(SSLException failure, String name) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof EOFException
                    || cause instanceof SocketException
                    || cause instanceof SocketTimeoutException) {
                return failure;
            }
        }
        return new StrangerException(name + ": TLS was refused: " + failure.getMessage(), failure);
    }
}

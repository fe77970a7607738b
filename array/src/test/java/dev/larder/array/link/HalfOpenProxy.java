package dev.larder.array.link;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A proxy between two nodes. After {@link #vanish} its present connections carry nothing more, and neither end learns of it, as
 * if the other machine had lost power. Later connections carry all.
 */
public final class HalfOpenProxy implements AutoCloseable {

    private static final int BUFFER_BYTES = 4096;

    private final ServerSocket listening;
    private final InetSocketAddress to;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final AtomicInteger generation = new AtomicInteger();

    /** A proxy of an address. */
    public HalfOpenProxy(InetSocketAddress to) throws IOException {
        this.to = to;
        this.listening = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().name("proxy").start(this::accept);
    }

    /** Returns the address at which the others find the proxy. */
    public InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** Makes the present connections carry nothing more. */
    public void vanish() {
        generation.incrementAndGet();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                Socket near = listening.accept();
                sockets.add(near);
                Socket far = new Socket(to.getAddress(), to.getPort());
                sockets.add(far);
                int born = generation.get();
                Thread.ofPlatform().daemon().name("proxy").start(() -> carry(near, far, born));
                Thread.ofPlatform().daemon().name("proxy").start(() -> carry(far, near, born));
            } catch (IOException e) {
                closeLast(); // no process listens there, or this is closed
            }
        }
    }

    private void closeLast() {
        try {
            if (!sockets.isEmpty()) {
                sockets.getLast().close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void carry(Socket from, Socket into, int born) {
        byte[] buffer = new byte[BUFFER_BYTES];
        try {
            InputStream in = from.getInputStream();
            for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
                if (generation.get() == born) {
                    into.getOutputStream().write(buffer, 0, count);
                }
            }
            if (generation.get() == born) {
                into.close();
            }
        } catch (IOException e) {
            // one end is closed, and the other does not learn of it
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }
}

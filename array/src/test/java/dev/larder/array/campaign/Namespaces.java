package dev.larder.array.campaign;

import dev.larder.tests.support.SystemPrograms;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/**
 * A network namespace for each node, and one for the clients, with a wire between each two:
 *
 * <pre>
 * node 0: 127.0.1.10 ---- 127.0.1.11 : node 1        lo has 127.0.0.1 alone, so the other addresses of loopback
 *      |       \           /      |                  may lie on wires (route_localnet): the nodes need no certificates
 * node 2: 127.0.1.12 -- clients: 127.0.1.13
 * </pre>
 *
 * A cut gives the sender a wrong hardware address of the receiver, so its packets are lost silently. A namespace lives as
 * long as a process that holds it. That process ends with its input, so nothing is left behind even if this JVM is killed. Each
 * holds a mount namespace as well.
 */
final class Namespaces implements Network {

    private static final int CLONE_NEWNET = 0x40000000;
    private static final int O_RDONLY = 0;
    private static final int FIRST_HOST = 10;
    private static final String PORTS = ":6379:7000:7001";

    private final int clients;
    private final List<Process> holders = new ArrayList<>();
    private final Set<Integer> mounts = new HashSet<>();

    Namespaces(int nodes) {
        clients = nodes;
        try {
            for (int one = 0; one <= clients; one++) {
                hold();
            }
            for (int one = 0; one <= clients; one++) {
                prepare(one);
            }
            for (int one = 0; one <= clients; one++) {
                for (int other = 0; other < one; other++) {
                    wire(one, other);
                }
            }
            heal();
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Returns why there can be no namespaces; empty if there can. */
    static String missing() {
        if (!"root".equals(System.getProperty("user.name"))) {
            return "network namespaces: needs root";
        }
        return SystemPrograms.exist("unshare", "nsenter", "ip")
                ? ""
                : "network namespaces: ip or unshare is not installed";
    }

    private void hold() {
        try {
            Process holder = new ProcessBuilder("unshare", "--net", "--mount", "sh", "-c", "echo held; cat")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            holders.add(holder);
            if (holder.getInputStream().read() < 0) {
                throw new IllegalStateException("unshare makes no network namespace");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void prepare(int one) {
        inside(one, "link set lo up", "address flush dev lo", "address add 127.0.0.1/32 dev lo");
        List<String> command = new ArrayList<>(prefix(one));
        command.addAll(List.of("sh", "-c", "echo 1 >/proc/sys/net/ipv4/conf/all/route_localnet"));
        Programs.run(command);
    }

    private void wire(int one, int other) {
        inside(
                one,
                "link add " + wireName(other) + " address " + hardware(one, other) + " type veth peer name "
                        + wireName(one) + " address " + hardware(other, one) + " netns "
                        + holders.get(other).pid());
        for (int end : new int[] {one, other}) {
            int far = end == one ? other : one;
            inside(
                    end,
                    "address add " + host(end) + " peer " + host(far) + "/32 dev " + wireName(far),
                    "link set " + wireName(far) + " up");
        }
    }

    static String host(int one) {
        return "127.0.1." + (FIRST_HOST + one);
    }

    private static String wireName(int far) {
        return "to" + far;
    }

    private static String hardware(int one, int far) {
        return String.format(Locale.ROOT, "02:00:00:00:%02x:%02x", one, far);
    }

    private void inside(int one, String... commands) {
        List<String> batch = new ArrayList<>(prefix(one));
        batch.addAll(SystemPrograms.located(List.of("ip", "-batch", "-")));
        Programs.run(batch, String.join("\n", commands) + "\n");
    }

    @Override
    public String addresses(int node) {
        return host(node) + PORTS;
    }

    @Override
    public List<String> prefix(int node) {
        return List.of(
                "nsenter",
                "--net",
                "--mount",
                "--target",
                Long.toString(holders.get(node).pid()));
    }

    @Override
    public boolean hidesFiles(int node) {
        return mounts.contains(node);
    }

    @Override
    public boolean canCut() {
        return true;
    }

    @Override
    public void cut(int from, int to) {
        inside(from, neighbour(to, "02:00:00:00:ff:ff"));
    }

    private static String neighbour(int to, String hardware) {
        return "neighbour replace " + host(to) + " lladdr " + hardware + " dev " + wireName(to) + " nud permanent";
    }

    @Override
    public void heal() {
        for (int from = 0; from <= clients; from++) {
            int one = from;
            inside(
                    one,
                    IntStream.rangeClosed(0, clients)
                            .filter(to -> to != one)
                            .mapToObj(to -> neighbour(to, hardware(to, one)))
                            .toArray(String[]::new));
        }
    }

    @Override
    public void enter() {
        enter(clients);
    }

    /** Moves this thread into the namespace of a node, for good. Sockets belong to the namespace of their thread. */
    @SuppressWarnings("restricted")
    void enter(int node) {
        Linker linker = Linker.nativeLinker();
        MethodHandle open = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        MethodHandle setns = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setns"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        MethodHandle close = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"),
                FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            String path = "/proc/" + holders.get(node).pid() + "/ns/net";
            int file = (int) open.invokeExact(arena.allocateFrom(path), O_RDONLY);
            int result = (int) setns.invokeExact(file, CLONE_NEWNET);
            int closed = (int) close.invokeExact(file);
            if (file < 0 || result != 0 || closed != 0) {
                throw new IllegalStateException("cannot enter " + path);
            }
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    /** Mounts a small file system for a node's files. It is visible in the node's namespace, and goes with it. */
    void mount(int node, Path folder, int mebibytes) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        String failure = run(node, "mount", "-t", "tmpfs", "-o", "size=" + mebibytes + "m", "tmpfs", folder.toString());
        if (!failure.isEmpty()) {
            throw new IllegalStateException(failure);
        }
        mounts.add(node);
    }

    /** Runs a program in the namespace of a node. Returns why it failed, or nothing. */
    String run(int node, String... command) {
        List<String> words = new ArrayList<>(prefix(node));
        words.addAll(List.of(command));
        try {
            Programs.run(words);
            return "";
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Override
    public void close() {
        try {
            for (Process holder : holders) {
                holder.getOutputStream().close();
            }
            for (Process holder : holders) {
                holder.waitFor(10, TimeUnit.SECONDS);
                holder.destroyForcibly();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}

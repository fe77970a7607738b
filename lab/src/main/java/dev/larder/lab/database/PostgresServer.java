package dev.larder.lab.database;

import dev.larder.lab.machine.Machine;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A private PostgreSQL server: its files in a directory of the run, on the loopback interface alone, behind a password
 * made for it. It runs as long as the run: one that has just begun would still have to touch its memory.
 *
 * <p>PostgreSQL refuses to run as root; a root starts it as the user {@code postgres}, or {@code nobody}. A shell
 * stands between: it ends the server when its standard input ends, so that none outlives the run, however that ends.
 */
public final class PostgresServer implements AutoCloseable {

    private static final String USER = "larder";
    private static final long START_SECONDS = 60;
    private static final long STOP_SECONDS = 120;
    private static final long POLL_MILLIS = 100;
    private static final long MIB = 1L << 20;
    private static final String UNTIL_INPUT_ENDS =
            "trap '' INT; \"$@\" & server=$!;" + " cat >/dev/null; kill -INT \"$server\"; wait \"$server\"";

    private final Path programs;
    private final Path home;
    private final Path log;
    private final long dataBytes;
    private final @Nullable String systemUser;
    private final String password;
    private @Nullable Process process;
    private int port;

    private PostgresServer(Path programs, Path home, Path log, long dataBytes) {
        this.programs = programs;
        this.home = home;
        this.log = log;
        this.dataBytes = dataBytes;
        systemUser = isRoot() ? otherUser() : null;
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        password = HexFormat.of().formatHex(secret);
    }

    /**
     * Makes a cluster that is to hold so many bytes. It is not started yet.
     *
     * @throws LabException when the programs are missing, or the cluster cannot be made
     */
    public static PostgresServer create(Path home, Path log, long dataBytes) {
        Path programs = PostgresPrograms.find()
                .orElseThrow(() -> new LabException("the programs of PostgreSQL (initdb, postgres, pg_isready) are not"
                        + " found; install them, for example: apt-get install postgresql"));
        PostgresServer server = new PostgresServer(programs, Directories.create(home), log, dataBytes);
        server.createCluster();
        return server;
    }

    /** Returns whether one can be started on this machine. */
    public static boolean isInstalled() {
        return PostgresPrograms.find().isPresent();
    }

    private static boolean isRoot() {
        return System.getProperty("user.name").equals("root");
    }

    private static String otherUser() {
        try {
            List<String> names = Files.readAllLines(Path.of("/etc/passwd"));
            return names.stream().anyMatch(line -> line.startsWith("postgres:")) ? "postgres" : "nobody";
        } catch (IOException e) {
            return "nobody";
        }
    }

    private void createCluster() {
        Path secret = home.resolve("password");
        try {
            Set<PosixFilePermission> ownerOnly = PosixFilePermissions.fromString("rw-------");
            Files.createFile(secret, PosixFilePermissions.asFileAttribute(ownerOnly));
            Files.writeString(secret, password, StandardOpenOption.WRITE);
            own(secret);
            own(home);
            run(List.of(
                    program("initdb"),
                    "--pgdata=" + home.resolve("cluster"),
                    "--username=" + USER,
                    "--pwfile=" + secret,
                    "--auth=scram-sha-256",
                    "--encoding=UTF8",
                    "--locale=C",
                    "--no-sync"));
        } catch (IOException e) {
            throw new LabException("cannot make a PostgreSQL cluster in " + home + ": " + e.getMessage(), e);
        }
    }

    private void own(Path path) throws IOException {
        if (systemUser != null) {
            UserPrincipal user =
                    path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(systemUser);
            Files.setOwner(path, user);
        }
    }

    private String program(String name) {
        return programs.resolve(name).toString();
    }

    private void run(List<String> command) throws IOException {
        Process started = builder(command).start();
        started.getOutputStream().close();
        if (!ended(started, START_SECONDS) || started.exitValue() != 0) {
            throw new LabException(
                    "PostgreSQL's " + Path.of(command.getFirst()).getFileName() + " failed: " + lastWords() + hint());
        }
    }

    private String hint() {
        return systemUser == null
                ? ""
                : " (PostgreSQL does not run as root, so it ran as the user " + systemUser + ", who must be able to"
                        + " enter every directory above its own; --directory names another place)";
    }

    private ProcessBuilder builder(List<String> command) {
        List<String> whole = new ArrayList<>();
        if (systemUser != null) {
            whole.addAll(List.of("runuser", "-u", systemUser, "--"));
        }
        whole.addAll(command);
        return new ProcessBuilder(whole)
                .directory(home.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    }

    /** Starts the server, and waits until it answers. */
    public void start() {
        try {
            port = freePort();
            process = builder(serverCommand()).start();
            awaitAnswer();
        } catch (IOException e) {
            throw new LabException("cannot start PostgreSQL: " + e.getMessage(), e);
        }
    }

    private List<String> serverCommand() {
        List<String> command =
                new ArrayList<>(List.of("/bin/sh", "-c", UNTIL_INPUT_ENDS, "sh", program("postgres"), "-D"));
        command.add(home.resolve("cluster").toString());
        for (String setting : settings()) {
            command.addAll(List.of("-c", setting));
        }
        return command;
    }

    /** What PostgreSQL's documentation advises for its memory and for "populating a database". */
    private List<String> settings() {
        long buffers = Math.clamp(2 * dataBytes, 128 * MIB, Math.max(128 * MIB, Machine.memoryBytes() / 4));
        return List.of(
                "listen_addresses=127.0.0.1",
                "port=" + port,
                "unix_socket_directories=",
                "shared_buffers=" + buffers / MIB + "MB",
                "maintenance_work_mem=256MB",
                "wal_level=minimal",
                "max_wal_senders=0",
                "max_wal_size=" + logBytes(dataBytes) / MIB + "MB",
                "checkpoint_timeout=30min");
    }

    /** Returns how long its write-ahead log may get: so long that no checkpoint comes while a store is filled. */
    static long logBytes(long dataBytes) {
        return Math.max(1024 * MIB, 3 * dataBytes / MIB * MIB);
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitAnswer() throws IOException {
        long start = System.nanoTime();
        while (!answers()) {
            if (System.nanoTime() - start > TimeUnit.SECONDS.toNanos(START_SECONDS)) {
                stop();
                throw new LabException(
                        "PostgreSQL did not answer within " + START_SECONDS + " s: " + lastWords() + hint());
            }
            pause();
        }
    }

    private boolean answers() throws IOException {
        Process asked = new ProcessBuilder(program("pg_isready"), "-q", "-h", "127.0.0.1", "-p", Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        return ended(asked, START_SECONDS) && asked.exitValue() == 0;
    }

    private static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while PostgreSQL started", e);
        }
    }

    /** Returns the JDBC URL of the server, with its password: never a part of a result. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password=" + password;
    }

    /** Stops the server, if it runs: it writes everything back first. */
    public void stop() {
        Process running = process;
        process = null;
        if (running == null) {
            return;
        }
        try {
            running.getOutputStream().close();
        } catch (IOException e) {
            // the shell has ended already, and the server with it
        }
        if (!ended(running, STOP_SECONDS)) {
            running.descendants().forEach(ProcessHandle::destroyForcibly);
            running.destroyForcibly();
        }
    }

    private static boolean ended(Process process, long seconds) {
        try {
            return process.waitFor(seconds, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private String lastWords() {
        try {
            List<String> lines = Files.readAllLines(log);
            return lines.isEmpty() ? "it printed nothing" : lines.getLast();
        } catch (IOException e) {
            return "its log cannot be read: " + e.getMessage();
        }
    }

    @Override
    public void close() {
        stop();
    }
}

package dev.larder.lab.database;

import dev.larder.lab.machine.Machine;
import dev.larder.lab.machine.SystemCommand;
import dev.larder.lab.process.LocalServer;
import dev.larder.lab.result.Attempt;
import dev.larder.lab.result.Directories;
import dev.larder.lab.result.LabException;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A private PostgreSQL server, on the loopback interface alone, with its files in a directory of the run and a new
 * password. It runs as long as the run: a newly started server would still have to touch its memory.
 *
 * <p>PostgreSQL refuses to run as root; root starts it as the user {@code postgres}, or {@code nobody}.
 */
public final class PostgresServer implements AutoCloseable {

    /** Folders of the programs off the PATH: Debian, Red Hat, Homebrew, a build from source. */
    private static final List<Path> PLACES = List.of(
            Path.of("/usr/lib/postgresql/*"),
            Path.of("/usr/pgsql-*"),
            Path.of("/opt/homebrew/opt/postgresql*"),
            Path.of("/usr/local/pgsql"));

    private static final Pattern VERSION = Pattern.compile("\\d{1,4}");

    private static final String USER = "larder";
    private static final long MIB = 1L << 20;

    private final Path programs;
    private final Path home;
    private final Path log;
    private final long dataBytes;
    private final List<String> as;
    private final String password;
    private final int port = LocalServer.freePort();
    private @Nullable LocalServer server;

    private PostgresServer(Path programs, Path home, Path log, long dataBytes) {
        this.programs = programs;
        this.home = home;
        this.log = log;
        this.dataBytes = dataBytes;
        as = SystemCommand.isRoot() ? List.of("runuser", "-u", otherUser(), "--") : List.of();
        byte[] secret = new byte[16];
        new SecureRandom().nextBytes(secret);
        password = HexFormat.of().formatHex(secret);
    }

    private static Optional<Path> programs() {
        List<Path> folders = new ArrayList<>();
        PLACES.forEach(place -> folders.addAll(versions(place)));
        folders.sort(Comparator.comparingInt(PostgresServer::version).reversed());
        SystemCommand.find("initdb").map(Path::getParent).ifPresent(folders::add);
        return folders.stream()
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .findFirst();
    }

    private static List<Path> versions(Path place) {
        List<Path> versions = new ArrayList<>();
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(place.getParent(), place.getFileName().toString())) {
            found.forEach(version -> versions.add(version.resolve("bin")));
        } catch (IOException e) {
            return List.of(); // no such folder
        }
        return versions;
    }

    /** Returns the version in the name of a folder, as of {@code postgresql/17/bin}: 9 for 9.6, and 0 if it names none. */
    static int version(Path programs) {
        Path folder = programs.getParent();
        Matcher number = VERSION.matcher(folder == null ? "" : String.valueOf(folder.getFileName()));
        return number.find() ? Integer.parseInt(number.group()) : 0;
    }

    /** Returns whether this machine can start one. */
    public static boolean isInstalled() {
        return programs().isPresent();
    }

    /**
     * Creates a cluster for so many bytes, without starting it.
     *
     * @throws LabException if programs are missing, or the cluster cannot be created
     */
    public static PostgresServer create(Path home, Path log, long dataBytes) {
        Path programs = programs()
                .orElseThrow(() -> new LabException("the programs of PostgreSQL (initdb, postgres, pg_isready) are not"
                        + " found; install them, for example: apt-get install postgresql"));
        PostgresServer server = new PostgresServer(programs, Directories.create(home), log, dataBytes);
        Attempt.to("make a PostgreSQL cluster in " + home, server::createCluster);
        return server;
    }

    private static String otherUser() {
        try {
            List<String> names = Files.readAllLines(Path.of("/etc/passwd"));
            return names.stream().anyMatch(line -> line.startsWith("postgres:")) ? "postgres" : "nobody";
        } catch (IOException e) {
            return "nobody";
        }
    }

    private void createCluster() throws IOException, InterruptedException {
        Path secret = home.resolve("password");
        Files.createFile(secret, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(secret, password, StandardOpenOption.WRITE);
        for (Path path : List.of(secret, home)) {
            own(path);
        }
        SystemCommand initdb = SystemCommand.run(
                home,
                command(
                        "initdb",
                        "--pgdata=" + home.resolve("cluster"),
                        "--username=" + USER,
                        "--pwfile=" + secret,
                        "--auth=scram-sha-256",
                        "--encoding=UTF8",
                        "--locale=C",
                        "--no-sync"));
        if (initdb.code() != 0) {
            throw new LabException("PostgreSQL's initdb failed: " + initdb.said() + hint());
        }
    }

    private void own(Path path) throws IOException {
        if (!as.isEmpty()) {
            Files.setOwner(
                    path, path.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(otherUser()));
        }
    }

    private List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>(as);
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private String hint() {
        return as.isEmpty()
                ? ""
                : " (PostgreSQL does not run as root, so the lab ran it as user " + otherUser()
                        + ". That user must be able to"
                        + " enter every directory above its own; --directory names another place)";
    }

    /** Starts the server, and waits until it answers. */
    public void start() {
        List<String> command =
                new ArrayList<>(List.of(programs.resolve("postgres").toString(), "-D"));
        command.add(home.resolve("cluster").toString());
        settings().forEach(setting -> command.addAll(List.of("-c", setting)));
        LocalServer started = LocalServer.start("PostgreSQL", "INT", as, command, home, log);
        server = started;
        started.await(this::answers, () -> LocalServer.lastWords(log) + hint());
    }

    /** Returns what PostgreSQL's documentation advises for memory and "populating a database". */
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

    /** Returns the limit of its write-ahead log: large enough that a fill causes no checkpoint. */
    static long logBytes(long dataBytes) {
        return Math.max(1024 * MIB, 3 * dataBytes / MIB * MIB);
    }

    private boolean answers() {
        String ready = programs.resolve("pg_isready").toString();
        return SystemCommand.tried(home, ready, "-q", "-h", "127.0.0.1", "-p", Integer.toString(port))
                .isPresent();
    }

    /** Returns the JDBC URL of the server, with its password: never a part of a result. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=" + USER + "&password=" + password;
    }

    /** Stops the server if it runs; it writes everything back first. */
    @Override
    public void close() {
        if (server != null) {
            server.close();
            server = null;
        }
    }
}

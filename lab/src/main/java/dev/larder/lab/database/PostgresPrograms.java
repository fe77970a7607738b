package dev.larder.lab.database;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Where the programs of a PostgreSQL server are on this machine; many systems keep them off the PATH. */
final class PostgresPrograms {

    /** A folder with a folder for each version, which has the programs in {@code bin}. */
    private record Place(String parent, String versions) {}

    private static final List<String> NEEDED = List.of("initdb", "postgres", "pg_isready");

    /** Debian's, Red Hat's, Homebrew's, and that of a build from source. */
    private static final List<Place> PLACES = List.of(
            new Place("/usr/lib/postgresql", "*"),
            new Place("/usr", "pgsql-*"),
            new Place("/opt/homebrew/opt", "postgresql*"),
            new Place("/usr/local", "pgsql"));

    private PostgresPrograms() {}

    /** Returns the folder of the newest ones found; empty when there are none. */
    static Optional<Path> find() {
        List<Path> folders = new ArrayList<>();
        PLACES.forEach(place -> folders.addAll(newestFirst(place)));
        String path = System.getenv("PATH");
        if (path != null) {
            List.of(path.split(File.pathSeparator, -1)).forEach(folder -> folders.add(Path.of(folder)));
        }
        return folders.stream().filter(PostgresPrograms::areIn).findFirst();
    }

    private static boolean areIn(Path folder) {
        return NEEDED.stream().allMatch(program -> Files.isExecutable(folder.resolve(program)));
    }

    private static List<Path> newestFirst(Place place) {
        List<Path> versions = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(Path.of(place.parent()), place.versions())) {
            found.forEach(versions::add);
        } catch (IOException e) {
            return List.of(); // no such place
        }
        versions.sort(Comparator.comparingInt(PostgresPrograms::number).reversed());
        return versions.stream().map(version -> version.resolve("bin")).toList();
    }

    private static int number(Path version) {
        String digits = version.toString().replaceAll("\\D", "");
        return digits.isEmpty() || digits.length() > 4 ? 0 : Integer.parseInt(digits);
    }
}

package dev.larder.lab.result;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which source this program was built from. */
public final class Revision {

    private Revision() {}

    /**
     * Returns the commit of the checkout that this program was built in, with {@code +changes} where files differ;
     * else the version of its jar; null when neither is known.
     */
    public static @Nullable String find() {
        Path checkout = checkout();
        String commit = checkout == null ? null : git(checkout, "rev-parse", "HEAD");
        if (checkout == null || commit == null) {
            return Revision.class.getPackage().getImplementationVersion();
        }
        String changes = git(checkout, "status", "--porcelain", "--untracked-files=no");
        return changes == null || changes.isEmpty() ? commit : commit + "+changes";
    }

    private static @Nullable Path checkout() {
        try {
            CodeSource source = Revision.class.getProtectionDomain().getCodeSource();
            Path path = source == null ? null : Path.of(source.getLocation().toURI());
            while (path != null && !Files.exists(path.resolve(".git"))) {
                path = path.getParent();
            }
            return path;
        } catch (URISyntaxException | RuntimeException e) {
            return null; // not from a file: no checkout
        }
    }

    private static @Nullable String git(Path checkout, String... arguments) {
        try {
            ProcessBuilder builder = new ProcessBuilder(new ArrayList<>(List.of("git"))).directory(checkout.toFile());
            builder.command().addAll(List.of(arguments));
            Process process =
                    builder.redirectError(ProcessBuilder.Redirect.DISCARD).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            return process.waitFor() == 0 ? output : null;
        } catch (IOException e) {
            return null;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}

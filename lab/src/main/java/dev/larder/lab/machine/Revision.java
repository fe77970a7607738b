package dev.larder.lab.machine;

import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import org.jspecify.annotations.Nullable;

/** The source revision of this program. */
public final class Revision {

    private Revision() {}

    /**
     * Returns the commit of the checkout that this program was built in, with {@code +changes} if files differ. If that is
     * unknown, returns the version of its jar, or null.
     */
    public static @Nullable String find() {
        Path checkout = checkout();
        String commit = checkout == null
                ? null
                : SystemCommand.tried(checkout, "git", "rev-parse", "HEAD").orElse(null);
        if (checkout == null || commit == null) {
            return Revision.class.getPackage().getImplementationVersion();
        }
        String changes = SystemCommand.tried(checkout, "git", "status", "--porcelain", "--untracked-files=no")
                .orElse("");
        return changes.isEmpty() ? commit : commit + "+changes";
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
            return null; // not a file: no checkout
        }
    }
}

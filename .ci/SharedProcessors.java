import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The class loader of Error Prone for a javac in Maven's process, see the profile "inner-javac" of pom.xml. Javac makes one for
 * each compilation. Those of the same jars share their classes here: else each compilation loads and warms every check anew.
 */
public final class SharedProcessors extends ClassLoader {
    private static final Map<List<String>, ClassLoader> LOADERS = new ConcurrentHashMap<>();

    /** Javac calls this by reflection. */
    public SharedProcessors(URL[] jars, ClassLoader parent) {
        super(LOADERS.computeIfAbsent(
                Stream.of(jars).map(URL::toString).toList(), names -> new URLClassLoader(jars, parent)));
    }
}

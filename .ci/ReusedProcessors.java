import java.io.Closeable;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The class loader of Error Prone for a javac in Maven's process, see the profile "inner-javac" of pom.xml. Javac makes one for
 * each compilation, and closes it at the end. A compilation takes the classes that an earlier one of the same jars has left: else
 * each would load and warm every check anew. Two that run at the same time never share them: Error Prone has state in static
 * fields, and is made for one compilation at a time.
 */
public final class ReusedProcessors extends ClassLoader implements Closeable {
    private static final Map<List<String>, Deque<ClassLoader>> LEFT = new HashMap<>();

    private final List<String> jars;
    private boolean closed;

    /** Javac calls this by reflection. */
    public ReusedProcessors(URL[] jars, ClassLoader parent) {
        super(taken(jars, parent));
        this.jars = names(jars);
    }

    private static ClassLoader taken(URL[] jars, ClassLoader parent) {
        synchronized (LEFT) {
            Deque<ClassLoader> left = LEFT.get(names(jars));
            return left == null || left.isEmpty() ? new URLClassLoader(jars, parent) : left.pop();
        }
    }

    private static List<String> names(URL[] jars) {
        return Stream.of(jars).map(URL::toString).toList();
    }

    @Override
    public void close() {
        synchronized (LEFT) {
            if (!closed) {
                closed = true;
                LEFT.computeIfAbsent(jars, names -> new ArrayDeque<>()).push(getParent());
            }
        }
    }
}

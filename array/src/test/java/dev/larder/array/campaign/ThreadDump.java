package dev.larder.array.campaign;

import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The threads of a process, as the JDK's {@code jcmd} prints them. */
final class ThreadDump {

    private static final String BLOCKED = "java.lang.Thread.State: BLOCKED";
    private static final Pattern WANTED = Pattern.compile("- waiting to lock (<\\w+>)");
    private static final Pattern HELD = Pattern.compile("- locked (<\\w+>)");

    private ThreadDump() {}

    static String of(long process) {
        return Programs.run(List.of(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(process),
                "Thread.print"));
    }

    /**
     * Cuts a dump to the threads that wait for a lock, and those that hold it.
     *
     * @param part what the stack of a waiting thread has to name
     */
    static String blocked(String dump, String part) {
        List<String> threads = List.of(dump.split("\\R\\R", -1));
        Set<String> wanted = new HashSet<>();
        Set<String> told = new HashSet<>();
        for (String thread : threads) {
            if (thread.contains(BLOCKED) && thread.contains(part)) {
                locks(WANTED, thread).forEach(wanted::add);
                told.add(thread);
            }
        }
        return String.join(
                "\n\n",
                threads.stream()
                        .filter(thread ->
                                told.contains(thread) || locks(HELD, thread).anyMatch(wanted::contains))
                        .toList());
    }

    private static Stream<String> locks(Pattern pattern, String thread) {
        return pattern.matcher(thread).results().map(found -> found.group(1));
    }
}

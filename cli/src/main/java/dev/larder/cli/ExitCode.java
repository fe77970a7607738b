package dev.larder.cli;

/** What the exit codes of the command mean. */
public final class ExitCode {

    /** It was done. */
    public static final int OK = 0;

    /** It was done, and the answer is no: a run is void, a queue is damaged, a condition does not hold. */
    public static final int INVALID = 1;

    /** The command line cannot be understood; nothing was done. */
    public static final int USAGE = 2;

    /** It could not be done. */
    public static final int ERROR = 3;

    /** The heading of the examples in the help of every command. An example begins with two blanks. */
    public static final String EXAMPLES = "%nExamples:";

    /** For the help of every command. */
    public static final String HELP = """

        Exit codes: 0 done; 1 the answer is no (void, damaged, --fail-if);
        2 usage; 3 error; 130 interrupted.\
        """;

    private ExitCode() {}
}

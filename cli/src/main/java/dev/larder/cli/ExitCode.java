package dev.larder.cli;

/** The exit codes of the command. */
public final class ExitCode {

    /** The command succeeded. */
    public static final int OK = 0;

    /** The command succeeded, and its answer is no: a run is void, a queue is damaged, a condition does not hold. */
    public static final int INVALID = 1;

    /** The command line cannot be understood; nothing was done. */
    public static final int USAGE = 2;

    /** The command failed. */
    public static final int ERROR = 3;

    /** The heading of the examples in the help of every command. An example begins with two blanks. */
    public static final String EXAMPLES = "%nExamples:";

    /** The text on exit codes in the help of every command. */
    public static final String HELP = """

        Exit codes: 0 done; 1 the answer is no (damage, a missing key, a void run,
        --fail-if); 2 wrong command line; 3 error; 130 interrupted.\
        """;

    private ExitCode() {}
}

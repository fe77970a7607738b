package dev.larder.cli;

import dev.larder.lab.LabRun;

/** What the exit codes of the command mean. */
final class ExitCode {

    /** It was done. */
    static final int OK = LabRun.EXIT_OK;

    /** It was done, and the answer is no: a run is void, a queue is damaged, a condition does not hold. */
    static final int INVALID = LabRun.EXIT_INVALID;

    /** The command line cannot be understood; nothing was done. */
    static final int USAGE = 2;

    /** It could not be done. */
    static final int ERROR = 3;

    /** For the help of every command. */
    static final String HELP = """

        Exit codes: 0 done; 1 the answer is no (void, damaged, --fail-if);
        2 usage; 3 error; 130 interrupted.\
        """;

    private ExitCode() {}
}

package dev.larder.lab;

import dev.larder.lab.result.FailCondition;
import java.nio.file.Path;
import java.util.List;

/**
 * The options that every run of an experiment has.
 *
 * @param out the result folder
 * @param json whether standard output gets {@code result.json} and nothing else
 * @param strict whether a disturbed run fails
 * @param keep whether the data stays
 * @param failIf conditions under which the run fails
 */
public record RunOptions(Path out, boolean json, boolean strict, boolean keep, List<FailCondition> failIf) {}

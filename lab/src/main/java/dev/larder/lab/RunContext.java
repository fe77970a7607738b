package dev.larder.lab;

import dev.larder.lab.result.ResultFolder;
import java.nio.file.Path;

/**
 * What a running experiment may use.
 *
 * @param folder of the result
 * @param data directory that is the experiment's own, removed after the run unless the data is kept
 * @param progress to report to
 * @param interruption to look at between steps
 */
public record RunContext(ResultFolder folder, Path data, Progress progress, Interruption interruption) {}

package dev.larder.lab;

import dev.larder.lab.result.FailCondition;
import java.nio.file.Path;
import java.util.List;

/** What every run of an experiment can be asked for. */
public record RunOptions(Path out, boolean json, boolean strict, boolean keep, List<FailCondition> failIf) {}

package dev.larder.lab;

import dev.larder.cli.Figures;
import org.jspecify.annotations.Nullable;

/**
 * The findings of an experiment.
 *
 * @param figures its own part of the result
 * @param jvm the facts of the JVM under test
 * @param invalidReason why the figures prove nothing; null if the experiment's checks held
 */
public record Findings(
        Figures figures, Figures jvm, @Nullable String invalidReason) {}

/** Subjects that take turns in rounds. Start at {@link dev.larder.lab.run.Matrix}. */
package dev.larder.lab.run;

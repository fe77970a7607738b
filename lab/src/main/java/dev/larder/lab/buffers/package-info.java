/** Which kind of buffer is fast to create and fill. Start at {@link dev.larder.lab.buffers.BuffersExperiment}. */
package dev.larder.lab.buffers;

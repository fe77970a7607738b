/** Measures the creation and filling of buffers. Start at {@link dev.larder.lab.buffers.BuffersExperiment}. */
package dev.larder.lab.buffers;

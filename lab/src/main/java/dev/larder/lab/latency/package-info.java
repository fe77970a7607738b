/**
 * The experiment {@code latency}: the effect of options on an append, and on its way to a tailer. The
 * experiment {@code copy}: the way to a tailer of a copy.
 */
package dev.larder.lab.latency;

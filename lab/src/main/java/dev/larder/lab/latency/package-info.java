/**
 * The experiment {@code latency}: what each option does to an append, and to the way from an append to a tailer; and {@code copy}: the way
 * to a tailer of a copy.
 */
package dev.larder.lab.latency;

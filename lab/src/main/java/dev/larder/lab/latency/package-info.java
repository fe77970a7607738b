/** The experiment {@code latency}: what each option does to an append, and to the way from an append to a tailer. */
package dev.larder.lab.latency;

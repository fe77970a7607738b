/** The experiment {@code queue}: a queue larger than memory. Start at {@link dev.larder.lab.queue.QueueExperiment}. */
package dev.larder.lab.queue;

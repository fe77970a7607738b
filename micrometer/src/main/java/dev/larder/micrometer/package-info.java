/** Meters of logs, queues and maps for Micrometer. Start at {@link dev.larder.micrometer.QueueMetrics}. */
package dev.larder.micrometer;

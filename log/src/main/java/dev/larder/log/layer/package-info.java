/** What the layers above need of a log, and tests: hooks, open claims, work in the background. Exported to them alone. */
package dev.larder.log.layer;

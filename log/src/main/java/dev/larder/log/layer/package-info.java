/** What the layers above need of a log, and tests: hooks, open claims, lists of problems. Exported to them alone. */
package dev.larder.log.layer;

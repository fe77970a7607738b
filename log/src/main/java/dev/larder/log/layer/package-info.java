/** What the layers above, and tests, need of a log: hooks, open claims, background work. Exported to them alone. */
package dev.larder.log.layer;

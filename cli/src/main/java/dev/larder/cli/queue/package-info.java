/** The commands on a queue. */
package dev.larder.cli.queue;

/** A persisted queue of messages, shared by all processes of a host. Start at {@link dev.larder.queue.LarderQueue}. */
package dev.larder.queue;

/** A queue of messages: the log read in order, by appenders and tailers of any number of processes. */
package dev.larder.queue;

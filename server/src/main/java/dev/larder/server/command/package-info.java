/** The commands on keys: each family a class. They name the store and the protocol, no socket and no thread. */
package dev.larder.server.command;

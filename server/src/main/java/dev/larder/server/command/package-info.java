/** The commands on keys: a class for each family. They name the store and the protocol, no socket and no thread. */
package dev.larder.server.command;

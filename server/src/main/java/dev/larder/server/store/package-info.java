/** The keys of a database and their values: no socket, no thread, no clock of its own. */
package dev.larder.server.store;

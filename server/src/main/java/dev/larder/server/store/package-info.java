/** The keys of a database and what they hold: no socket, no thread, no clock of its own. */
package dev.larder.server.store;

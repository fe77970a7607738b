/** A client's connection: its requests in their order, its replies, its transaction. Names no socket. */
package dev.larder.server.session;

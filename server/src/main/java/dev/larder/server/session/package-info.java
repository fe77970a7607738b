/** What a client's connection is: its requests in their order, its replies, its transaction. Names no socket. */
package dev.larder.server.session;

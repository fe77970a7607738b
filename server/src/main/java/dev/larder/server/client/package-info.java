/** What is known of a client without its session: its connection, its kind, its limits, what it has sent. */
package dev.larder.server.client;

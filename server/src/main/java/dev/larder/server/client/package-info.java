/** What a server knows of a client apart from its session: the connection, the kind, the limits, and the traffic. */
package dev.larder.server.client;

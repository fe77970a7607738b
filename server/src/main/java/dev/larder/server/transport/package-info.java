/** Sockets: the only room that names Netty. */
package dev.larder.server.transport;

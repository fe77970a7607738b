/** A server that speaks Redis' protocol, on a map in a folder. */
package dev.larder.server;

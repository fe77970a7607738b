/** The parameters of a server, their values, and the file that holds them. Names no other room. */
package dev.larder.server.config;

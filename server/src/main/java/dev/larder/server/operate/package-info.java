/** Running a server: its reports about itself, and its configuration. */
package dev.larder.server.operate;

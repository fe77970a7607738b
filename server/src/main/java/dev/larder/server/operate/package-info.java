/** Running a server: what it tells about itself, and its configuration. */
package dev.larder.server.operate;

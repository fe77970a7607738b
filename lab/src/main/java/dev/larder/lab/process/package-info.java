/** Child processes that measure, their memory limits, and a file system that is mounted for them. */
package dev.larder.lab.process;

/** Child processes that measure, the memory limits they live under, and a file system that is mounted for them. */
package dev.larder.lab.process;

/** Child processes that measure, and the memory limits they live under. */
package dev.larder.lab.process;

/** Storages that replace the machine's own in the tests of every module. */
package dev.larder.memory.doubles;

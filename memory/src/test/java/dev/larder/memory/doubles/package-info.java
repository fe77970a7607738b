/** Storages to put in the place of the machine's own, for the tests of every module. */
package dev.larder.memory.doubles;

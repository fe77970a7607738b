/** The values that experiments pass around, and the files that a run leaves. */
package dev.larder.lab.result;

/** {@code larder lab array}: an array of servers beside a single Redis. */
package dev.larder.lab.array;

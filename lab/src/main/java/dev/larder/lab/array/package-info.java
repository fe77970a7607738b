/** {@code larder lab array}: several servers as one, beside a single Redis. */
package dev.larder.lab.array;

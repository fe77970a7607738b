/** Experiments that measure what Larder claims, and leave every response time behind. */
package dev.larder.lab;

/** A million records inserted and queried back: a queue beside databases. */
package dev.larder.lab.database;
